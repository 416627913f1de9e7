from django.http import HttpRequest, HttpResponse


def index(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("index")


def page(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("page")
