"""Alice opens tables, Bob sits down at them, Charlie is an outsider; and what tests do with their games."""

from __future__ import annotations

import random
from typing import Any

from accounts.models import User
from games import services
from games.services import Terms
from games.store.models import Event
from games.store.thread import load
from games.table.dealer import Recorded
from games.table.state import Table
from tests.table.tables import climb_deal, next_move


def person(name: str) -> User:
    """A user of this name, made where there is none yet."""
    user = User.objects.filter(name=name).first()
    return user or User.objects.create_user(name, f"{name}@example.org")


def begun(slug: str, *people: User, recorded: Recorded | None = None, **terms: Any) -> str:
    """The id of a game that these people have sat down to, seats in order unless said otherwise."""
    opener, *others = people
    wanted = Terms(slug, **{"opener_seat": "first", **terms})
    invited = [other for other in others if wanted.admits == "invited"]
    game_id = services.open_game(opener, wanted, invite=invited, recorded=recorded).table.id
    for other in others:
        services.sit_down(other, game_id, recorded=recorded)
    return game_id


def climb_of_three(alice: User, bob: User) -> str:
    """The id of a game of Climb in which 2, 3 and 4 were played; seat 1 holds 5, 7, 9 and J, seat 0 6, 8 and T."""
    game_id = begun("climb", alice, bob, recorded=climb_deal("2H 4H 6H 8H TH", "3H 5H 7H 9H JH"), quick_pass=False)
    for player, card in ((alice, "2H"), (bob, "3H"), (alice, "4H")):
        services.play(player, game_id, {"type": "play", "card": card})
    return game_id


def a_move(game_id: str, seed: int = 0) -> tuple[int, Any]:
    """The awaited seat and a random legal move of it."""
    wanted = next_move(table(game_id), random.Random(seed))
    return wanted.seat, wanted.move


def play_on(game_id: str, *people: User, moves: int, seed: int = 0) -> Table:
    """Play so many random moves, or fewer if the game ends; ``people`` in order of seats. The table after them."""
    rng = random.Random(seed)
    now = table(game_id)
    for _ in range(moves):
        if now.awaited_seat is None:
            break
        wanted = next_move(now, rng)
        now = services.play(people[wanted.seat], game_id, wanted.move, step=now.step).table
    return now


def table(game_id: str) -> Table:
    return load(game_id).table


def events(game_id: str) -> list[Event]:
    """A game's rows, in order."""
    return list(Event.objects.filter(game=game_id).order_by("version"))
