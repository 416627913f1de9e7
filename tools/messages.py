"""``python -m tools.messages``: bring the catalogues up to date, without GNU gettext.

Extracts every translatable text (Python and templates) with Babel, merges it into each catalogue under ``locale/``,
compiles them, and says what is missing. ``--check`` changes nothing and fails where something is missing, fuzzy, out
of date, or doesn't have the placeholders of its source.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounts", "config", "games", "notifications")
type Spec = tuple[int | tuple[int, str], ...]

KEYWORDS: dict[str, Spec] = {
    "_": (1,),
    "gettext": (1,),
    "gettext_lazy": (1,),
    "gettext_noop": (1,),
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
_CALL = re.compile(r"(?<!\w)(n?p?gettext|_)\(")
_PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|(?<!%)%[sd]")


def extract() -> Catalog:
    """All texts of the source, as a catalogue without translations."""
    catalog = Catalog(project="Clew", charset="utf-8")
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            if "migrations" in path.parts:
                continue
            name = path.relative_to(ROOT).as_posix()
            if path.suffix == ".py":
                for line, function, texts in _python(path):
                    _add(catalog, function, texts, (name, line))
            elif path.suffix in {".html", ".txt"} and "templates" in path.parts:
                for line, function, texts in _template(path):
                    _add(catalog, function, texts, (name, line))
    return catalog


def _python(path: Path) -> Iterator[tuple[int, str, Sequence[str | None]]]:
    with path.open("rb") as file:
        # Babel's annotation is that of extract(); its Python extractor yields the function's name second.
        for found in cast(Iterator[tuple[int, str, Any, list[str]]], extract_python(file, KEYWORDS, [], {})):
            line, function, texts, _comments = found
            yield line, function, [texts] if isinstance(texts, str) else texts or []


def _template(path: Path) -> Iterator[tuple[int, str, Sequence[str | None]]]:
    """Django turns a template into calls of gettext amid filling; each call is read as Python."""
    from django.utils.translation.template import templatize

    source = templatize(path.read_text(encoding="utf-8"), origin=path.name)
    for match in _CALL.finditer(source):
        end = match.end()
        while True:
            end = source.index(")", end) + 1
            try:
                call = ast.parse(source[match.start() : end], mode="eval").body
                break
            except SyntaxError:
                continue
        assert isinstance(call, ast.Call)
        texts = [str(argument.value) if isinstance(argument, ast.Constant) else None for argument in call.args]
        yield source.count("\n", 0, match.start()) + 1, match[1], texts


def _add(catalog: Catalog, function: str, texts: Sequence[str | None], where: tuple[str, int]) -> None:
    context: str | None = None
    ids: list[str] = []
    for part in KEYWORDS[function]:
        index = part[0] if isinstance(part, tuple) else part
        text = texts[index - 1] if index <= len(texts) else None
        if not text:
            return
        if isinstance(part, tuple):
            context = text
        else:
            ids.append(text)
    catalog.add(
        ids[0] if len(ids) == 1 else (ids[0], ids[1]),
        locations=[where],
        context=context,
        flags=["python-format"] if _PLACEHOLDER.search(ids[0]) else [],
    )


def faults(message: Message) -> str | None:
    """What is wrong with a translated message, or None."""
    strings = message.string if isinstance(message.string, list | tuple) else (message.string,)
    if not all(strings):
        return "is not translated"
    if message.fuzzy:
        return "is fuzzy"
    ids = message.id if isinstance(message.id, list | tuple) else (message.id,)
    wanted = {found.group() for found in _PLACEHOLDER.finditer(ids[-1])}
    if any({found.group() for found in _PLACEHOLDER.finditer(text or "")} != wanted for text in strings):
        return "has other placeholders than its source"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where something is out of order")
    check = parser.parse_args().check
    template = extract()
    wrong = 0
    for po_path in sorted((ROOT / "locale").glob("*/LC_MESSAGES/django.po")):
        locale = po_path.parent.parent.name
        before = po_path.read_bytes()
        catalog = read_po(io.BytesIO(before), locale=locale)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        # The same texts give the same file: no date of today in it.
        catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
        for message in catalog:
            fault = faults(message) if message.id else None
            if fault:
                wrong += 1
                print(f"{locale}: {message.id!r} {fault}", file=sys.stderr)
        po, mo = io.BytesIO(), io.BytesIO()
        write_po(po, catalog, width=110, sort_output=True, include_lineno=False, omit_header=False)
        write_mo(mo, catalog)
        for path, content in ((po_path, po.getvalue()), (po_path.with_suffix(".mo"), mo.getvalue())):
            if not path.exists() or path.read_bytes() != content:
                if check:
                    wrong += 1
                    print(f"{path.relative_to(ROOT)} is out of date: run python -m tools.messages", file=sys.stderr)
                else:
                    path.write_bytes(content)
        print(f"{locale}: {sum(bool(message.id) for message in catalog)} messages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
