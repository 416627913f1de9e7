from django.http import HttpRequest, HttpResponse


def choose(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("choose")


def new_game(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("new_game")
