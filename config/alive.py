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
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        host = urlsplit(env_str("CLEW_SITE_URL", "http://localhost:8000")).netloc
        connection.request("GET", "/healthz", headers={"Host": host})
        return int(connection.getresponse().status != 200)
    except (OSError, http.client.HTTPException):
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
