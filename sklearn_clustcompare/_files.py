"""Files that are written as a whole."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def write_file(path: Path, content: bytes, shown: str) -> None:
    """Write a file as a whole: an error leaves a previous file of that name unchanged.

    ``shown`` is the name of the file in messages.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe or a device must not be replaced
            path.write_bytes(content)
            return
        target = path.resolve()  # the file itself, not a link to it
        part = target.with_name(f".{target.name}-{os.urandom(8).hex()}.tmp")
        try:
            with part.open("xb") as stream:
                stream.write(content)
            if target.exists():
                target.open("r+").close()  # a write-protected file is kept
                shutil.copymode(target, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        msg = f"{shown} cannot be written: {error.strerror}"
        raise ValueError(msg) from error


@contextmanager
def locked(path: Path, shown: str) -> Iterator[None]:
    """Keep other processes that lock the same file waiting, and leave nothing in its folder.

    The file is replaced when it is written, so that its folder is locked; where folders cannot be,
    a temporary file.
    """
    target = path.resolve()
    try:
        if sys.platform == "win32":
            name = sha256(str(target).encode()).hexdigest()
            lock = os.open(Path(tempfile.gettempdir()) / f"{name}.lock", os.O_RDWR | os.O_CREAT)
            msvcrt.locking(lock, msvcrt.LK_LOCK, 1)
        else:
            lock = os.open(target.parent, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError as error:
        msg = f"{shown} cannot be written: {error.strerror}"
        raise ValueError(msg) from error
    try:
        yield
    finally:
        os.close(lock)
