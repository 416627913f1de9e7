"""Each line of the page that says what telling people must be like, and the tests that hold it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
PAGE = TESTS.parent.parent / "shared" / "design" / "notifications.md"

#: The beginning of each line (each item of the lists, and of the first paragraph), and tests that name it.
LINES: dict[str, tuple[str, ...]] = {
    "your turn": ("test_whoever_waits_for_an_opponent_is_told_that_the_game_awaits_them",),
    "reminder before the deadline": ("test_reminders_come_at_the_chosen_parts_of_the_time_and_a_move_deletes_them",),
    "you were seated / invited / challenged": (
        "test_who_is_given_a_seat_by_others_is_told_where_the_game_waits_on",
        "test_who_is_invited_by_name_is_told_and_no_more_once_the_table_is_full",
    ),
    "the game began": ("test_the_opener_who_does_not_move_first_is_told_that_the_game_began",),
    "the game ended (whatever ended it, time-outs included)": (
        "test_an_end_by_the_clock_is_told_to_both_and_nobody_else",
        "test_a_table_that_is_taken_away_tells_its_owner_unless_they_did_it",
    ),
    "draw offered, undo asked": (
        "test_a_draw_offer_tells_the_other_and_a_resignation_too",
        "test_an_undo_asked_for_tells_the_other",
    ),
    "the clock was paused, resumed, extended": (
        "test_pauses_gifts_and_vacations_reach_the_inbox_and_who_wants_them_by_mail",
    ),
    "a message at the table": (
        "test_a_message_at_the_table_is_mailed_to_the_other_with_its_text_and_writer",
        "test_a_burst_is_one_mail",
        "test_what_was_seen_is_not_mailed",
    ),
    "vacation began, ends tomorrow, ended": (
        "test_a_vacation_that_ends_tomorrow_is_told_once",
        "test_a_vacation_tells_the_opponent_and_its_player_where_it_began_by_itself",
        "test_a_planned_vacation_is_told_to_opponents_when_it_is_planned",
        "test_who_was_told_of_a_plan_is_told_that_it_is_off_by_the_same_ways",
    ),
    "Told when a player": (
        "test_who_stays_awaited_is_told_nothing_whoever_acted",
        "test_nobody_is_told_of_their_own_doing_nor_twice_that_it_is_their_turn",
    ),
    "Immediate, or a digest": (
        "test_a_digest_gathers_games_with_the_soonest_deadline_first",
        "test_once_until_i_come_back_is_one_mail_until_a_visit",
        "test_a_daily_digest_comes_once_a_day_at_its_hour",
        "test_a_digest_comes_at_its_hour_in_the_zone_that_its_reader_has_moved_to",
    ),
    "An immediate mail waits": (
        "test_a_rapid_exchange_within_the_quiet_spell_mails_none_of_its_steps",
        "test_presence_delays_and_a_forgotten_tab_swallows_nothing",
    ),
    "Several games that come due": ("test_several_games_that_come_due_in_one_spell_make_one_mail",),
    "Quiet hours in": (
        "test_the_night_of_a_change_is_an_hour_shorter_or_longer",
        "test_quiet_hours_hold_a_turn_back_until_the_morning",
        "test_an_extension_puts_reminders_off_and_a_pause_deletes_them",
        "test_quiet_hours_move_with_their_reader",
        "test_what_an_outage_brought_into_quiet_hours_waits_until_they_are_over",
        "test_reminders_follow_the_new_percents_quiet_hours_and_zone",
    ),
    "Times in a message": (
        "test_a_moment_names_its_zone_right_across_the_year",
        "test_a_reminder_names_the_deadline_that_the_clock_has",
    ),
    "One row per message": (
        "test_the_awaited_player_gets_one_row_whose_key_names_the_news",
        "test_an_append_that_is_rolled_back_leaves_no_row",
    ),
    "A sender claims": (
        "test_exactly_one_sender_gets_a_due_message",
        "test_an_event_in_between_that_leaves_them_awaited_does_not_silence_the_mail",
        "test_a_sender_whose_row_was_taken_over_can_not_close_it",
        "test_a_mail_that_may_have_gone_out_is_sent_again_as_it_was",
    ),
    "Retries with": (
        "test_a_temporary_refusal_puts_the_row_back_with_growing_waits",
        "test_a_bouncing_address_is_shown_and_mended_by_a_mail_that_arrives",
        "test_where_mails_bounce_another_way_takes_over_even_if_switched_off",
    ),
    "Celery only wakes": (
        "test_what_a_dead_worker_held_is_sent_by_the_next_one_after_the_lease",
        "test_a_broker_that_forgot_everything_only_delays_the_mail",
        "test_a_database_that_is_restarted_at_once_loses_no_mail",
    ),
    "After an outage": ("test_after_an_outage_each_player_gets_one_current_message_and_never_the_history",),
    "Every player sees": (
        "test_the_log_says_what_was_to_be_sent_and_how_it_went",
        "test_the_operators_page_is_for_staff_and_warns_where_messages_stay_lying",
    ),
    "No ETA tasks": ("test_no_task_is_ever_given_a_time_to_run_at",),
    "The account mails": ("test_sign_up",),
    "Quiet spell, lease": ("test_a_process_whose_clock_is_ahead_sends_what_is_due_only_later",),
    "Webhooks never reach": (
        "test_addresses_that_are_not_public_are_refused_wherever_they_come_from",
        "test_a_redirect_is_not_followed",
        "test_the_name_is_resolved_once_and_the_connection_goes_where_it_was_looked_at",
        "test_a_host_that_the_operator_did_not_name_is_not_reached_on_this_machine",
    ),
    "multipart, text as good": ("test_hand_score_and_link_stand_in_both_forms",),
    "`List-Unsubscribe`": (
        "test_a_post_without_login_switches_the_turn_mails_of_that_person_off",
        "test_a_name_can_not_add_a_header",
    ),
}


def names() -> str:
    """All tests' names and files."""
    files = list(TESTS.rglob("test_*.py"))
    defined = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)
    return "\n".join(
        [*(path.stem for path in files), *(n for path in files for n in defined.findall(path.read_text()))]
    )


@pytest.mark.parametrize("line", LINES)
def test_each_line_has_tests_that_are_there(line: str) -> None:
    there = set(names().splitlines())
    assert [name for name in LINES[line] if name not in there] == []


def test_no_task_is_ever_given_a_time_to_run_at() -> None:
    """What is due later is a row with a time: Redis gives a task again that waits for longer than its visibility."""
    packages = ("accounts", "config", "games", "notifications")
    source = "\n".join(path.read_text() for name in packages for path in (TESTS.parent / name).rglob("*.py"))
    assert not re.search(r"\b(eta|countdown)\s*=", source)


def test_no_line_of_the_page_is_left_out() -> None:
    if not PAGE.exists():
        assert LINES  # the page lies beside the project only where it is written
        return
    text = PAGE.read_text(encoding="utf-8")
    text = text[: text.index("## Playing by mail")]
    items = re.findall(r"^- (?:\*\*)?(.+)$", text, re.MULTILINE)
    told = text[text.index("## What is told") :].splitlines()[1]
    items += [part.strip() for part in told.split(" · ")]
    later = ("your computer opponent gave up",)
    missing = [item for item in items if not item.startswith((*LINES, *later))]
    assert missing == []
