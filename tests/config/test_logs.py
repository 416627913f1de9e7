"""What stands in the logs of a fault, and what doesn't."""

from __future__ import annotations

import subprocess
import sys

import pytest

FAULT = """
import logging.config
from config import logs

logging.config.dictConfig(logs.configure(json={json}, level="INFO"))


def fails(secret):
    raise LookupError("nothing there")


try:
    fails("".join(["hid", "den"]))
except LookupError:
    logging.getLogger("site").exception("it broke")
"""


@pytest.mark.parametrize("json", [True, False])
def test_a_fault_is_logged_with_its_traceback_and_without_the_values_of_variables(json: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAULT.format(json=json)], capture_output=True, text=True, check=True, timeout=60
    )
    assert "it broke" in done.stderr
    assert "LookupError: nothing there" in done.stderr
    assert "hidden" not in done.stderr
