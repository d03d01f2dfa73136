"""Files that are written as a whole."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_BEYOND_ANY_FILE = 2**40


def write_file(path: Path, text: str, shown: str) -> None:
    """Write a file as a whole: an error leaves a previous file of that name unchanged.

    ``shown`` is the name of the file in messages.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe or a device must not be replaced
            path.write_text(text, encoding="utf-8")
            return
        target = path.resolve()  # the file itself, not a link to it
        part = target.with_name(f".{target.name}-{os.urandom(8).hex()}.tmp")
        try:
            with part.open("x", encoding="utf-8", newline="") as stream:
                stream.write(text)
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


def open_alone(path: Path, shown: str) -> BinaryIO:
    """Open a file at its start, to append, and refuse one that was opened so and not closed."""
    try:
        stream = path.open("a+b")
    except OSError as error:
        msg = f"{shown} cannot be written: {error.strerror}"
        raise ValueError(msg) from error
    try:
        if sys.platform == "win32":
            stream.seek(_BEYOND_ANY_FILE)  # locked bytes cannot be read
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        stream.close()
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            msg = f"{shown} cannot be written: {error.strerror}"
            raise ValueError(msg) from error
        msg = f"{shown} must be a file that no other call is writing, got one in use: {path}"
        raise ValueError(msg) from None
    stream.seek(0)
    return stream
