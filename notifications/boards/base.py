"""The contract of a table in a mail: drawn as text and as plain HTML, without images."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar


class MailBoard(ABC):
    """Draws a game's table from its *view* (the JSON of ``Rules.view``): what isn't in there can't be drawn."""

    slug: ClassVar[str]
    #: Draws the context of :meth:`draw`, which it finds as ``board``.
    template: ClassVar[str]
    #: The template of the styles that it needs.
    styles: ClassVar[str]

    @abstractmethod
    def draw(self, view: Mapping[str, Any], marks: frozenset[str]) -> dict[str, Any]:
        """The template's context. ``marks`` are the touches (see ``games.pages.boards``) of what changed."""

    @abstractmethod
    def text(self, view: Mapping[str, Any]) -> str:
        """The table for a fixed-width font, and below it what its signs mean."""

    @abstractmethod
    def hand(self, view: Mapping[str, Any]) -> list[str]:
        """The cards of the viewer's hand."""
