from django.http import HttpRequest, HttpResponse


def table(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("table")


def state(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("state")
