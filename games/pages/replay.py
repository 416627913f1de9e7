from django.http import HttpRequest, HttpResponse


def replay(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("replay")


def record(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("record")
