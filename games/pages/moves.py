from django.http import HttpRequest, HttpResponse


def preview(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("preview")


def move(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("move")


def sit(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("sit")


def resign(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("resign")
