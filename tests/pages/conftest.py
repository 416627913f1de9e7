"""The people of these tests: Alice opens tables, Bob sits down at them, Charlie is an outsider."""

from tests.games.fixtures import alice, bob, charlie

__all__ = ["alice", "bob", "charlie"]
