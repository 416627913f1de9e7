"""Pages of long lists."""

from django.http import HttpRequest


def page_number(request: HttpRequest) -> int:
    """The page asked for by ``?page=``, else the first. A number past the end is the list's to judge."""
    text = request.GET.get("page", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
