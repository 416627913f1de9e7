"""``bin/play``: prepare an embedded site, then run its web server and its worker until Ctrl-C.

``CLEW_DATA`` (default ``./var``) holds everything that is kept, ``PORT`` (8000) is where it listens, ``CLEW_HOST``
(127.0.0.1) for whom; two sites run side by side with different ones. ``--demo`` adds two players with games to look at.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Sequence

from config import alive
from config.env import EnvError, env_bool, env_int, env_str
from config.supervisor import Child, Supervisor

_PREPARATION = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
call_command("createcachetable", verbosity=0)
call_command("collectstatic", verbosity=0, interactive=False)
"""


def say(line: str) -> None:
    """One line for the person at the terminal, at once."""
    print(f"clew: {line}", flush=True)  # noqa: T201 - this is a command


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 after a stop, 1 after one sentence about what is wrong."""
    if not set(arguments) <= {"--demo"}:
        say("bin/play knows one argument, --demo; PORT and CLEW_DATA in the environment say where it runs.")
        return 1
    try:
        port = env_int("PORT", 8000, least=1)
        host = env_str("CLEW_HOST", "127.0.0.1")
        site = env_str("CLEW_SITE_URL", f"http://localhost:{port}")
        env_bool("CLEW_EMBEDDED", default=True)
    except EnvError as error:
        say(str(error))
        return 1
    if not _is_free(host, port):
        return 1
    environ = {
        **os.environ,
        "CLEW_EMBEDDED": "1",
        "CLEW_SITE_URL": site,
        "CLEW_LOG_LEVEL": os.environ.get("CLEW_LOG_LEVEL") or "WARNING",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONUNBUFFERED": "1",
    }
    say("preparing the database and the static files")
    if subprocess.run([sys.executable, "-c", _PREPARATION], env=environ, check=False).returncode:
        say("the site could not be prepared; the lines above say why.")
        return 1
    if arguments and not _demo(environ):
        say("the demo could not be made; the lines above say why.")
        return 1
    # Preparing takes a while, and two web servers would share a port, each with a part of the requests.
    if not _is_free(host, port):
        return 1
    say("starting the web server and the worker")
    Supervisor(
        _children(host, port, environ),
        say,
        is_ready=lambda: alive.answers(host, port, site, 1.0),
        ready=f"the site is at {site} (Ctrl-C stops it)",
    ).run()
    say("stopped")
    return 0


def _demo(environ: dict[str, str]) -> bool:
    """Make the demo players and their games, and say how they log in."""
    say("making two demo players and their games")
    made = subprocess.run(
        [sys.executable, "manage.py", "demo"], env=environ, check=False, stdout=subprocess.PIPE, text=True
    )
    for line in made.stdout.splitlines():
        say(line)
    return made.returncode == 0


def _is_free(host: str, port: int) -> bool:
    """Whether nobody listens there; else it is said."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            say(f"port {port} is taken; say another one, such as PORT={port + 1} bin/play.")
            return False
    return True


def _children(host: str, port: int, environ: dict[str, str]) -> list[Child]:
    python = sys.executable
    threads = min(8, 2 * (os.cpu_count() or 1) + 1)
    web = [
        python, "-m", "granian", "--interface", "wsgi", "--host", host, "--port", str(port), "--workers", "1",
        "--blocking-threads", str(threads), "--no-ws", "--log-level", "warning", "config.wsgi:application",
    ]  # fmt: skip
    # --beat: within the worker; its schedule lives in memory (CELERY_BEAT_SCHEDULER). In a container root is usual, and
    # nobody else can write the queue that the worker reads.
    worker = [
        python, "-W", "ignore:You're running the worker with superuser", "-m", "celery",
        "--app", "config", "--quiet", "worker", "--beat", "--pool", "threads",
        "--concurrency", "4", "--loglevel", "warning", "--without-gossip", "--without-mingle",
        "--without-heartbeat",
    ]  # fmt: skip
    return [Child("web server", web, environ), Child("worker", worker, environ)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
