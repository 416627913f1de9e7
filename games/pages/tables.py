from django.http import HttpRequest, HttpResponse


def open_tables(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("open_tables")
