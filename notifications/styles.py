"""The styles of a mail written into its elements, where every mail program sees them."""

from __future__ import annotations

import css_inline

_inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def inlined(html: str) -> str:
    """The HTML with its rules in the elements; those for dark colours stay in the head."""
    return _inliner.inline(html)
