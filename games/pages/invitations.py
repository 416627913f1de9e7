from django.http import HttpRequest, HttpResponse


def invitation(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("invitation")
