"""``python -m config.alive [PORT]``: whether the process at this port answers; the health check of a container.

It asks by the site's own name: any other is refused.
"""

import http.client
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

from config.env import env_str

SECONDS = 3.0


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    port = int(arguments[0]) if arguments else 8000
    return int(not answers("127.0.0.1", port, env_str("CLEW_SITE_URL", "http://localhost:8000"), SECONDS))


def answers(address: str, port: int, site: str, seconds: float) -> bool:
    """Whether the site of this URL is served there, and soon."""
    connection = http.client.HTTPConnection(address, port, timeout=seconds)
    try:
        connection.request("GET", "/healthz", headers={"Host": urlsplit(site).netloc})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
