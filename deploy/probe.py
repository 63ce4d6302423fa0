"""Checks whether the local bot is ``live`` or ``ready``: ``python deploy/probe.py live``.

Needs only Python, so that health checks are cheap. The exit status is 0 for yes.
"""

from __future__ import annotations

import http.client
import os
import sys

TIMEOUT = 4.0
"""Seconds after which the event loop counts as hung."""


def main() -> int:
    """Return 0 for yes and 1 for no."""
    path = sys.argv[1] if len(sys.argv) > 1 else "live"
    port = int(os.environ.get("MONITORING_ADDRESS", "9464").rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        connection.request("GET", f"/{path}")
        return int(connection.getresponse().status != http.HTTPStatus.OK)
    except OSError:
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
