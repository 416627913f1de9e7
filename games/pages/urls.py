"""The pages' addresses."""

from django.urls import path

from games.pages import agreements, front, home, invitations, moves, new, replay, rules, table, tables, talk, undoing

urlpatterns = [
    path("", front.front, name="front"),
    path("home/", home.home, name="home"),
    path("new/", new.choose, name="new"),
    path("new/<slug:entry>/", new.new_game, name="new-game"),
    path("tables/", tables.open_tables, name="open-tables"),
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:entry>/", rules.page, name="rules-page"),
    path("games/<uuid:game>/", table.table, name="table"),
    path("games/<uuid:game>/state/", table.state, name="table-state"),
    path("games/<uuid:game>/preview/", moves.preview, name="table-preview"),
    path("games/<uuid:game>/move/", moves.move, name="move"),
    path("games/<uuid:game>/undo/", undoing.undo, name="undo"),
    path("games/<uuid:game>/redo/", undoing.redo, name="redo"),
    path("games/<uuid:game>/hint/", undoing.hint, name="hint"),
    path("games/<uuid:game>/ask-undo/", undoing.ask_undo, name="ask-undo"),
    path("games/<uuid:game>/answer-undo/", undoing.answer_undo, name="answer-undo"),
    path("games/<uuid:game>/sit/", moves.sit, name="sit"),
    path("games/<uuid:game>/resign/", moves.resign, name="resign"),
    path("games/<uuid:game>/agree/<slug:what>/", agreements.agree, name="agree"),
    path("games/<uuid:game>/talk/", talk.talk, name="talk"),
    path("games/<uuid:game>/talk/heard/", talk.heard, name="talk-heard"),
    path("games/<uuid:game>/talk/quiet/", talk.quiet, name="talk-quiet"),
    path("games/<uuid:game>/join/<str:token>/", invitations.invitation, name="invitation"),
    path("games/<uuid:game>/replay/", replay.replay, name="replay"),
    path("games/<uuid:game>/record.json", replay.record, name="record"),
]
