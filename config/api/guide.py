"""The guide for programs: pages of ``docs/`` as pages of the site, for whoever has no copy of Clew at hand.

Each page is a text in Markdown, in English (``api.md``) and in Korean (``api.ko.md``), with the same headings and the
same code in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

#: The pages by the last part of their address, in their order: their files' names, and what they are called.
PAGES: Final = {
    "": ("api", gettext_lazy("The HTTP API")),
    "views": ("views", gettext_lazy("What a table shows")),
    "bots": ("bots", gettext_lazy("Bots")),
}
_DOCS: Final = settings.BASE_DIR / "docs"
#: Where the texts say that a site is: it is this one.
_SOME_SITE: Final = "http://localhost:8000"


@dataclass(frozen=True, slots=True)
class Guide:
    """A page: its title, its sections (what each is called by, and its heading), and all of it as HTML."""

    title: str
    sections: Sequence[tuple[str, str]]
    html: SafeString


@require_safe
def guide(request: HttpRequest, page: str = "") -> HttpResponse:
    """One page of the guide, with the way to the others."""
    if page not in PAGES:
        raise Http404
    pages = [(address_of(slug), title, slug == page) for slug, (_file, title) in PAGES.items()]
    context = {"guide": _read(page, get_language() or "en", settings.CLEW_SITE_URL), "pages": pages}
    return render(request, "games/api_guide.html", context)


def address_of(page: str) -> str:
    return reverse("api-guide-page", args=[page]) if page else reverse("api-guide")


def text_of(page: str, language: str) -> str:
    """The text of a page; English where there is none in this language."""
    file = PAGES[page][0]
    translated = _DOCS / f"{file}.{language}.md"
    return (translated if translated.exists() else _DOCS / f"{file}.md").read_text(encoding="utf-8")


@cache
def _read(page: str, language: str, site: str) -> Guide:
    """A page as HTML. Headings are called by their English words in every language, so that a link is good in all."""
    markdown = _markdown()
    names = [slugify(text) for _level, text in _headings(markdown.parse(text_of(page, "en")))]
    tokens = markdown.parse(text_of(page, language).replace(_SOME_SITE, site))
    headings = list(_headings(tokens))
    opening = [token for token in tokens if token.type == "heading_open"]
    for token, name in zip(opening, names, strict=True):
        token.attrSet("id", name)
    for link in (inner for token in tokens for inner in token.children or () if inner.type == "link_open"):
        link.attrSet("href", _on_the_site(str(link.attrGet("href"))))
    sections = [(name, text) for name, (level, text) in zip(names, headings, strict=True) if level == "h2"]
    html = markdown.renderer.render(tokens, markdown.options, {})
    # Safe: whatever HTML a text has of its own is escaped, see _markdown.
    return Guide(headings[0][1], sections, mark_safe(html))


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The headings of a text: their tag, and what they say."""
    for token, inner in pairwise(tokens):
        if token.type == "heading_open":
            yield token.tag, "".join(part.content for part in inner.children or ())


def _on_the_site(href: str) -> str:
    """Where a link between the files leads on the site."""
    file, _hash, section = href.partition("#")
    for page, (name, _title) in PAGES.items():
        if file == f"{name}.md":
            return address_of(page) + (f"#{section}" if section else "")
    return href


def _markdown() -> MarkdownIt:
    """Markdown with tables and without HTML. Code and tables scroll by themselves, by the keyboard, too."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("fence", _fence)
    markdown.add_render_rule("table_open", _table)
    markdown.add_render_rule("table_close", _table_end)
    markdown.add_render_rule("th_open", _column)
    return markdown


# Render rules: called with the renderer, all tokens, the number of one of them, options and environment.


def _fence(_renderer: Any, tokens: Sequence[Token], at: int, *_rest: Any) -> str:
    pre = '<pre class="program-text" tabindex="0" role="group" aria-label="{}"><code>{}</code></pre>\n'
    return format_html(pre, _("Program text"), tokens[at].content)


def _table(_renderer: Any, tokens: Sequence[Token], at: int, *_rest: Any) -> str:
    head = [token for token in tokens[at : at + 12] if token.type == "inline"][:2]
    label = ", ".join("".join(part.content for part in token.children or ()) for token in head)
    return f'<div class="table-wrap" tabindex="0" role="group" aria-label="{escape(label)}"><table class="table">\n'


def _table_end(*_all: Any) -> str:
    return "</table></div>\n"


def _column(*_all: Any) -> str:
    return '<th scope="col">'
