"""A hand sorted as its player wants it, by suit or by rank. The choice is remembered in a cookie.

A link (``?hand=rank``) chooses, so that it works without a script, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, cast

from django.http import HttpRequest, HttpResponse

from games.engine.cards import RANK_NUMBER, SUITS
from games.engine.contract import Card

type Order = Literal["suit", "rank"]

PARAMETER: Final = "hand"
COOKIE: Final = "hand-order"
_YEAR: Final = 365 * 24 * 3600
_ORDERS: Final = ("suit", "rank")


def order_of(request: HttpRequest) -> Order:
    """How this reader wants hands sorted: as just chosen, else as remembered, else by suit."""
    for wanted in (request.GET.get(PARAMETER), request.COOKIES.get(COOKIE)):
        if wanted in _ORDERS:
            return cast("Order", wanted)
    return "suit"


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Keep what was just chosen, if anything was."""
    wanted = request.GET.get(PARAMETER)
    if wanted in _ORDERS:
        response.set_cookie(COOKIE, wanted, max_age=_YEAR, samesite="Lax", secure=request.is_secure())


def in_order(cards: Iterable[Card], order: Order) -> list[Card]:
    """By suit and within it by rank, or by rank and within it by suit; aces lowest."""
    by_suit = {card: (SUITS.index(card[1]), RANK_NUMBER[card]) for card in cards}
    return sorted(by_suit, key=lambda card: by_suit[card] if order == "suit" else by_suit[card][::-1])
