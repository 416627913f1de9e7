"""The people and the games of these tests."""

from tests.games.fixtures import alice, bob, charlie, climb_registered

__all__ = ["alice", "bob", "charlie", "climb_registered"]
