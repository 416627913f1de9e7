from django.http import HttpRequest, HttpResponse


def home(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse("home")
