"""What is said at a table of Conquian: the offer, what forcing means, what each way on would do."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.cards import show
from games.engine.conquian_melds import in_suits, mask
from games.engine.contract import Card, Move
from games.pages.boards.base import View


def cards(group: Iterable[Card]) -> str:
    """``4♥ 5♥ 6♥``, as they lie in a meld."""
    return " ".join(show(card) for card in in_suits(mask(group)))


def holds(count: int, melded: int) -> str:
    return _("%(hand)s in hand, %(melded)s melded") % {"hand": count, "melded": melded}


def piles(stock: int, waste: int) -> str:
    return _("Stock %(stock)s, waste %(waste)s") % {"stock": stock, "waste": waste}


# --- ways on ------------------------------------------------------------------------------------------------------


def force(view: View, meld: Iterable[Card]) -> str:
    return _("Force %(card)s onto %(meld)s") % {"card": show(view["centre"]), "meld": cards(meld)}


def allow(view: View) -> str:
    return _("Let it be buried") if view["stock"] else _("Let it be buried: a draw")


def decline(view: View) -> str:
    """Declining, with what follows at once."""
    if view["origin"] == "turned" or fits(view, view["awaits"]):
        return pgettext("a card", "Decline")
    return _("Decline and turn a card") if view["stock"] else _("Decline: a draw")


def declined(view: View) -> str:
    """What follows from declining, in a sentence."""
    said = {"card": show(view["centre"])}
    if view["origin"] == "turned":
        return _("Decline %(card)s; the other player is offered it then.") % said
    if fits(view, view["awaits"]):
        return _("Decline %(card)s; the other player may force it onto your meld.") % said
    if not view["stock"]:
        return _("Decline %(card)s; the stock is used up, so the round is drawn.") % said
    return _("Decline %(card)s and turn the next card.") % said


def allowed(view: View) -> str:
    """What follows from letting a declined card be buried, in a sentence."""
    said = {"card": show(view["centre"])}
    if not view["stock"]:
        return _("Let %(card)s be buried; the stock is used up, so the round is drawn.") % said
    return _("Let %(card)s be buried; the other player turns the next card.") % said


def fits(view: View, seat: int) -> bool:
    """Whether the centre card would extend a meld of this seat, which is offered it."""
    return any(meld["force"] == "if_declined" for meld in view["melds"][seat])


def forcible(view: View) -> bool:
    """Whether the awaited seat may force the centre card."""
    return any(meld["force"] == "now" for melds in view["melds"] for meld in melds)


def offer(view: View, move: Move, after: View) -> str:
    """What a move would do, in a sentence."""
    match move["type"]:
        case "meld":
            said = {"melds": "; ".join(cards(meld) for meld in move["melds"]), "card": show(move.get("discard", "AS"))}
            if "discard" not in move:
                return _("Your melds then: %(melds)s. You go out and win the round.") % said
            return _("Your melds then: %(melds)s. You discard %(card)s.") % said
        case "discard":
            return _("Discard %(card)s.") % {"card": show(move["card"])}
        case "force":
            return _("%(way)s.") % {"way": force(view, move["meld"])}
        case "allow":
            return allowed(view)
        case _:
            return declined(view)


# --- how things stand ---------------------------------------------------------------------------------------------


def how(view: View, *, can_meld: bool) -> str:
    """How the awaited player makes a move."""
    if view["phase"] == "discard":
        return _("Choose the card that you discard.")
    if view["phase"] == "forcing":
        return _("Force the card, or let it be buried.")
    said = {"card": show(view["centre"])}
    if not can_meld:
        return _("%(card)s fits nowhere for you: decline it.") % said
    return _("Touch %(card)s and what you meld with it, and last the card that you discard.") % said


def note(view: View, seat: int | None) -> str:
    """What forcing means at this moment, for whoever sits at ``seat``; nothing where it doesn't arise."""
    if view["phase"] == "discard":
        return _discarding(mine=view["awaits"] == seat)
    if view["centre"] is None:
        return ""
    said = {"card": show(view["centre"])}
    mine, looking_on = view["awaits"] == seat, seat is None
    if forcible(view):
        if not view["hands"][_owner(view)]["count"]:
            return _forced_out(said, mine=mine, looking_on=looking_on)
        if looking_on:
            return _("%(card)s was declined by a player whose own meld it fits: the other may force it onto it.") % said
        if not mine:
            return _("You declined %(card)s though it fits your meld: the other player may force it onto it.") % said
        if view["phase"] == "forcing":
            return (
                _(
                    "The other player declined %(card)s, which fits their own meld. Force it onto that meld, and they "
                    "must discard a card of their hand; or let it be buried."
                )
                % said
            )
        return (
            _(
                "The other player declined %(card)s, which fits their own meld. You may force it onto that meld: they "
                "must then discard a card of their hand."
            )
            % said
        )
    if mine and fits(view, view["awaits"]):
        if not view["hands"][view["awaits"]]["count"]:
            return _("%(card)s fits your own meld, and with it you go out.") % said
        return (
            _(
                "%(card)s fits your own meld. If you decline it, the other player may force it onto that meld: you "
                "must then discard a card of your hand."
            )
            % said
        )
    return ""


def _owner(view: View) -> int:
    """Whose meld the centre card may be forced onto."""
    return next(seat for seat, melds in enumerate(view["melds"]) for meld in melds if meld["force"] == "now")


def _forced_out(said: dict[str, str], *, mine: bool, looking_on: bool) -> str:
    """Forcing a player who has no card left to discard: they go out."""
    if mine:
        return (
            _(
                "The other player declined %(card)s, which fits their own meld. They have no card left in hand: if you "
                "force it onto that meld, they go out and win the round."
            )
            % said
        )
    if looking_on:
        return _("%(card)s was declined by a player whose own meld it fits and whose hand is empty.") % said
    return _("You declined %(card)s though it fits your meld. If it is forced onto it, you go out.") % said


def _discarding(*, mine: bool) -> str:
    if mine:
        return _("The card that you declined was forced onto your meld: now you must discard a card of your hand.")
    return _("A declined card was forced onto the meld that it fits: its owner must now discard a card.")
