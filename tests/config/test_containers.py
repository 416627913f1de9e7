"""docker-compose.yml and Dockerfile, where there is no Docker: what they name exists, and is what the site reads."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.core.management import get_commands

from tests.config.compose import COMPOSE, ROOT, SERVICES, TEXT, filled

OURS = {name: service for name, service in SERVICES.items() if "build" in service}
DOCKERFILE = (ROOT / "Dockerfile").read_text()

#: https://github.com/compose-spec/compose-spec, schema/compose-spec.json: what a file and a service may have.
TOP_KEYS = "version name include services models networks volumes secrets configs"
SERVICE_KEYS = """
    annotations attach build blkio_config cap_add cap_drop cgroup cgroup_parent command configs container_name
    cpu_count cpu_percent cpu_shares cpu_quota cpu_period cpu_rt_period cpu_rt_runtime cpus cpuset credential_spec
    depends_on deploy develop device_cgroup_rules devices dns dns_opt dns_search domainname entrypoint env_file
    environment expose extends external_links extra_hosts gpus group_add healthcheck hostname image init ipc isolation
    label_file labels links logging mac_address mem_limit mem_reservation mem_swappiness memswap_limit models
    network_mode networks oom_kill_disable oom_score_adj pid pids_limit platform ports post_start pre_stop privileged
    profiles provider pull_policy pull_refresh_after read_only restart runtime scale secrets security_opt shm_size
    stdin_open stop_grace_period stop_signal storage_opt sysctls tmpfs tty ulimits use_api_socket user userns_mode uts
    volumes volumes_from working_dir
"""
HEALTH_KEYS = "disable interval retries test timeout start_period start_interval"
DURATION = re.compile(r"(\d+(us|ms|s|m|h))+")
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}
#: Read by programs of the image rather than by the site.
NOT_OURS = re.compile(r"GRANIAN_\w+|PYTHON\w+|TZ|LANG|LC_\w+")


def commands(service: dict[str, Any]) -> Iterator[list[str]]:
    """The programs with their arguments that a service runs, those of its health check too."""
    for given in (service.get("command", docker_command()), service.get("healthcheck", {}).get("test")):
        if given is None:
            continue
        words = shlex.split(given) if isinstance(given, str) else list(given)
        if words[0] in ("CMD", "CMD-SHELL"):
            words = words[1:]
        if words[:2] == ["sh", "-c"]:
            for part in words[2].split("&&"):
                inner = shlex.split(part)
                yield inner[1:] if inner[0] == "exec" else inner
        else:
            yield words


def docker_command() -> list[str]:
    (line,) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    return list(yaml.safe_load(line))


def read_variables() -> set[str]:
    """The variables that some module of the configuration reads."""
    text = "".join(path.read_text() for path in (ROOT / "config").rglob("*.py"))
    return set(re.findall(r"env(?:_\w+|iron\.get)?\(\s*\"([A-Z][A-Z0-9_]*)\"", text))


def test_the_file_has_only_what_the_specification_knows() -> None:
    assert {key for key in COMPOSE if not key.startswith("x-")} <= set(TOP_KEYS.split())
    for name, service in SERVICES.items():
        assert set(service) <= set(SERVICE_KEYS.split()), name
        assert "image" in service or "build" in service, name
        health = service.get("healthcheck", {})
        assert set(health) <= set(HEALTH_KEYS.split()), name
        times = [health[key] for key in ("interval", "timeout", "start_period", "start_interval") if key in health]
        assert all(DURATION.fullmatch(time) for time in times), name
        for value in dict(service.get("environment", {})).values():
            assert isinstance(value, str | int | float | None), name


def test_services_wait_for_services_that_are_there_and_can_be_found_healthy() -> None:
    for name, service in SERVICES.items():
        waits = service.get("depends_on", {})
        for other, how in waits.items() if isinstance(waits, dict) else ((other, {}) for other in waits):
            assert other in SERVICES, name
            condition = how.get("condition", "service_started")
            assert condition in CONDITIONS, name
            assert condition != "service_healthy" or "healthcheck" in SERVICES[other], (name, other)


def test_volumes_are_declared_and_files_are_in_the_repository() -> None:
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0] if isinstance(volume, str) else volume.get("source", "")
            if source.startswith("."):
                assert (ROOT / source).exists(), name
            elif not source.startswith("/"):
                assert source in COMPOSE["volumes"], name


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_program_that_runs_is_in_the_image_and_what_it_runs_exists(name: str) -> None:
    for words in commands(OURS[name]):
        program, arguments = words[0], words[1:]
        if program == "python" and arguments[0] == "manage.py":
            assert arguments[1] in get_commands()
        elif program == "python":
            assert arguments[0] == "-m"
            assert find_spec(arguments[1]), arguments[1]
        elif program == "celery":
            assert arguments[:2] == ["-A", "config"]
            assert arguments[2] in ("worker", "beat")
        else:
            assert program == "granian"
            module, attribute = arguments[-1].split(":")
            assert callable(getattr(import_module(module), attribute))
        assert program == "python" or (Path(sys.executable).parent / program).exists()


def test_every_variable_that_is_set_is_one_that_the_site_reads() -> None:
    read = read_variables()
    assert "CLEW_SITE_URL" in read
    for name, service in OURS.items():
        unknown = {key for key in service["environment"] if key not in read and not NOT_OURS.fullmatch(key)}
        assert unknown == set(), name
        assert {"DATABASE_URL", "REDIS_URL", "DJANGO_SECRET_KEY"} <= set(service["environment"]), name


def test_what_the_operator_must_say_is_asked_for_and_all_else_has_a_default() -> None:
    text = re.sub(r"^\s*#.*$", "", TEXT, flags=re.MULTILINE)
    for variable in re.findall(r"(?<!\$)\$\{?[A-Z_]+[^}]?[^}]?", text):
        assert re.fullmatch(r"\$\{[A-Z_]+(:[-?]|-.)", variable), variable


def test_what_the_operator_says_reaches_every_process() -> None:
    for service in OURS.values():
        for name, value in service["environment"].items():
            assert filled(value, {name: "what/was:said"}) == "what/was:said"
        assert filled(service["environment"]["CLEW_STREAM_URL"], {"CLEW_STREAM_URL": ""}) == ""
        database = filled(service["environment"]["DATABASE_URL"], {"POSTGRES_PASSWORD": "5ec3e7"})
        assert database == "postgresql://clew:5ec3e7@postgres/clew"


def test_mails_are_caught_at_the_port_that_they_are_sent_to_until_there_is_a_mail_server() -> None:
    sent = OURS["worker"]["environment"]
    assert filled(sent["SMTP_HOST"], {}) in SERVICES
    caught = SERVICES[filled(sent["SMTP_HOST"], {})]["environment"]["MP_SMTP_BIND_ADDR"]
    assert caught.rpartition(":")[2] == filled(sent["SMTP_PORT"], {})


def test_the_image_gets_every_app_every_translation_and_the_guide() -> None:
    copied = {target for source, target in re.findall(r"^COPY (\S+) (\S+)$", DOCKERFILE, re.MULTILINE)}
    own = {
        Path(app.path).relative_to(ROOT).parts[0]
        for app in apps.get_app_configs()
        if Path(app.path).is_relative_to(ROOT) and "site-packages" not in app.path
    }
    assert own | {"config", "docs", "locale"} <= copied
    for source, _target in re.findall(r"^COPY (\S+) (\S+)$", DOCKERFILE, re.MULTILINE):
        assert (ROOT / source).exists()


def test_the_image_installs_the_locked_packages_by_their_hashes_and_runs_as_nobody_in_particular() -> None:
    assert re.search(r"pip install .*--require-hashes -r requirements/run\.txt", DOCKERFILE)
    users = re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)
    assert users[-1:] not in ([], ["root"])
