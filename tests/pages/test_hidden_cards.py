"""Whole answers of the pages are the same whatever the cards are that their reader can't know."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import clock
from games.engine import get_rules, latest_version
from games.engine.contract import SPECTATOR, Viewer
from games.pages.boards import board_for, playable
from games.pages.terms import asks_quick_pass
from games.store.models import Head
from games.table.state import Table
from notifications.models import InboxItem
from tests.games.people import table
from tests.pages.tables import logged_in, text
from tests.security.games import Stored, some_twins, store
from tests.table.tables import AT

pytestmark = pytest.mark.any_database

#: What differs between any two answers: tokens, command ids, nonces. (And the clock that Expires is made of.)
_OWN = [
    (re.compile(r'(name="csrfmiddlewaretoken" value=)"\w+"'), r"\1"),
    (re.compile(r'(name="command" value=)"[\w-]+"'), r"\1"),
    (re.compile(r"nonce-[\w+/=-]+"), "nonce"),
]


def seats_of(slug: str) -> int:
    return get_rules(slug, latest_version(slug)).seats


def plain(answer_text: str, game: str) -> str:
    for pattern, kept in _OWN:
        answer_text = pattern.sub(kept, answer_text)
    return answer_text.replace(game, "GAME").replace(game[:8], "GAME")


def answers(client: Client, stored: Stored, seat: int | None) -> Iterator[str]:
    """Everything that the pages tell this person of a running game: bodies and headers."""
    game = stored.game
    now = table(game)
    paths = [reverse("table", args=[game]), reverse("table-state", args=[game])]
    replay = reverse("replay", args=[game])
    paths += [replay, *(f"{replay}?step={entry.number}&part=1" for entry in now.line)]
    if seat is not None:
        paths.append(reverse("resign", args=[game]))
    if seat is not None and seat == now.awaited_seat:
        preview = f"{reverse('table-preview', args=[game])}?step={now.step}"
        paths += [f"{preview}{query}" for query in looked_at(now, seat)]
    for path in paths:
        answer = client.get(path)
        headers = "\n".join(
            f"{name}: {value}" for name, value in answer.items() if name not in ("Expires", "Content-Length")
        )
        yield plain(f"{path}\n{answer.status_code}\n{headers}\n{text(answer)}", game)
    if seat is not None and now.rules.seats == 1:
        yield plain(text(client.post(reverse("hint", args=[game]), {"command": "hint"})), game)


def looked_at(now: Table, seat: int) -> Iterator[str]:
    """Moves that this seat looks at, legal ones and others, as queries."""
    view = now.rules.view(now.state, seat)
    ways = board_for(now.rules.slug).ways(view, now.rules.legal_moves(now.state))
    for way in ways[:4]:
        touched = list(dict.fromkeys(choice.touch for slot in way.slots for choice in slot.choices[: slot.least]))
        yield "".join(f"&touch={touch}" for touch in touched) + f"&action={way.name}"
        yield "".join(f"&touch={touch}" for touch in touched[:1])
    for touches in (["hand:AC"], ["hand:AC", "hand:AD", "cell:1,1"], ["cell:6,6", "market:2D"], ["centre", "hand:KS"]):
        yield "".join(f"&touch={touch}" for touch in touches)


CASES = [
    pytest.param(slug, viewer, quick_pass, id=f"{slug}-{viewer}{'-quick' if quick_pass else ''}")
    for slug in playable()
    for quick_pass in ([False, True] if asks_quick_pass(slug) else [False])
    for viewer in [*range(seats_of(slug)), SPECTATOR]
]


@pytest.mark.parametrize(("slug", "viewer", "quick_pass"), CASES)
def test_the_pages_tell_nobody_what_they_can_not_know(
    alice: User, bob: User, charlie: User, slug: str, viewer: Viewer, quick_pass: bool
) -> None:
    compared = 0
    seat = viewer if isinstance(viewer, int) else None
    for pair in some_twins(slug, viewer, moves=12, count=3 if slug == "ariadne" else 1, quick_pass=quick_pass):
        with clock.frozen(clock.from_us(AT)) as frozen:
            twins = [store(thread, alice, bob) for thread in (pair.real, pair.other)]
            for play in pair.moves:
                frozen.advance(seconds=1)
                for stored in twins:
                    stored.play(play)
            for client in [logged_in((alice, bob)[seat])] if seat is not None else [logged_in(charlie), Client()]:
                told = []
                for stored in twins:
                    # The other twin must not be the next game that waits, or count among those.
                    Head.objects.exclude(game=stored.game).update(awaits_place=None)
                    Head.objects.filter(game=stored.game).update(awaits_place=table(stored.game).awaited_seat)
                    # What is told of a table is read once its page was seen: both are seen for the first time.
                    InboxItem.objects.update(read_at=None)
                    told.append(list(answers(client, stored, seat)))
                assert told[0] == told[1]
                compared += len(told[0])
    assert compared > 12


def test_the_comparison_finds_what_is_given_away(alice: User, bob: User) -> None:
    found = 0
    for pair in some_twins("ariadne", 0, moves=12, count=3):
        twins = [store(thread, alice, bob) for thread in (pair.real, pair.other)]
        real, other = (list(answers(logged_in(bob), stored, 1)) for stored in twins)
        found += real != other
    assert found
