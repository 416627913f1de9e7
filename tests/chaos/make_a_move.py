"""A process that makes a move, as a web process would, and prints how long the move took.

``python -m tests.chaos.make_a_move FIRST SECOND``: opens a game between two new users and makes its first move. Prints
one JSON line: ``{"game": id, "seconds": the slowest of the three actions}``.
"""

import json
import sys
import time
from itertools import pairwise

import django

if __name__ == "__main__":
    django.setup()

    from games import services
    from games.table.commands import Terms
    from tests.notifications.games import move, person

    first, second = map(person, sys.argv[1:])
    laps = [time.monotonic()]
    game = services.open_game(first, Terms("ariadne", opener_seat="first")).table.id
    laps.append(time.monotonic())
    services.sit_down(second, game)
    laps.append(time.monotonic())
    move(first, game)
    laps.append(time.monotonic())
    slowest = max(after - before for before, after in pairwise(laps))
    sys.stdout.write(json.dumps({"game": game, "seconds": slowest}) + "\n")
