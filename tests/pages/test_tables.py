"""Tables at which anybody may sit down."""

from __future__ import annotations

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from config import clock
from games import services
from games.services import Terms
from games.store.models import Seat
from tests.pages.reading import field, page_of


def opened(user: User, **terms: str) -> str:
    return services.open_game(user, Terms("ariadne", **terms), invite_link=True).table.id  # type: ignore[arg-type]  # tests pass good ones


def test_a_table_is_sat_down_at_by_one_click(client: Client, alice: User, bob: User) -> None:
    game = opened(alice)
    client.force_login(bob)
    page = page_of(client.get("/tables/"))
    assert "with alice" in page
    assert f'action="/games/{game}/sit/"' in page
    answer = client.post(f"/games/{game}/sit/", {"command": field(page, "command"), "salt": "salt-of-bob"})
    assert answer["Location"] == f"/games/{game}/"
    assert Seat.objects.filter(game__pk=game, user=bob).exists()


def test_how_long_a_table_has_been_open_is_said_from_the_first_minute_on(client: Client, alice: User) -> None:
    with clock.frozen(clock.now()) as now:
        opened(alice)
        assert "open for" not in page_of(client.get("/tables/"))
        now.advance(minutes=3)
        assert "open for 3" in page_of(client.get("/tables/"))


def test_every_button_has_a_command_of_its_own(client: Client, alice: User, bob: User) -> None:
    for _ in range(3):
        opened(alice)
    client.force_login(bob)
    commands = {part.split('"')[0] for part in page_of(client.get("/tables/")).split('name="command" value="')[1:]}
    assert len(commands) == 3


def test_ones_own_table_is_marked_and_has_no_button(client: Client, alice: User) -> None:
    opened(alice)
    client.force_login(alice)
    page = page_of(client.get("/tables/"))
    assert "Your table" in page
    assert "/sit/" not in page


def test_a_stranger_sees_the_tables_and_how_to_sit_down(client: Client, alice: User) -> None:
    game = opened(alice)
    page = page_of(client.get("/tables/"))
    assert f"/games/{game}/" in page
    assert 'href="/accounts/signup/?next=/tables/"' in page
    assert "/sit/" not in page


def test_a_table_without_bots_is_listed_and_says_so(client: Client, alice: User, bob: User) -> None:
    game = opened(alice, admits="people")
    client.force_login(bob)
    page = page_of(client.get("/tables/"))
    assert f"/games/{game}/sit/" in page
    assert "No bots" in page
    assert "Anyone but bots" in page_of(client.get(f"/games/{game}/"))
    client.force_login(alice)
    assert "Anyone but bots may sit down." in page_of(client.get("/home/"))


def test_private_tables_and_tokens_are_not_listed(client: Client, alice: User, bob: User) -> None:
    game = opened(alice, admits="invited")
    client.force_login(bob)
    page = page_of(client.get("/tables/"))
    assert game not in page
    assert "/join/" not in page
    assert "No table waits for a player right now." in page


def test_the_list_speaks_korean_and_costs_the_same_for_twenty_tables(
    client: Client, alice: User, bob: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(20):
        opened(alice)
    bob.language = "ko"
    bob.save()
    client.force_login(bob)
    client.get("/tables/")
    with django_assert_max_num_queries(9):
        page = page_of(client.get("/tables/"))
    assert "열린 테이블" in page
    assert page.count("alice님과 함께") == 20
