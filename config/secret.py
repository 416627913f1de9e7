"""The site's secret key, made once and kept beside its data."""

import os
import secrets
import tempfile
from pathlib import Path


def kept_secret(folder: Path) -> str:
    """The secret kept in ``folder``, made at the first call. Several processes may ask at once: all get the same."""
    path = folder / "secret_key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # mkstemp makes the file 0600; the link puts it in place whole, and fails where another process was first.
        handle, draft = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
    return path.read_text().strip()
