"""Text of files and of standard input, read once, in pieces of whole lines."""

from __future__ import annotations

import errno
import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, cast

STANDARD_INPUT = "-"

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PIECE_SIZE = 1 << 20  # bytes
# Endings of files that pandas reads, and the names of its functions.
_FRAME_READERS = {".parquet": "read_parquet", ".feather": "read_feather"}


def shown_path(path: str) -> str:
    """Return the name of a file for messages."""
    return "standard input" if path == STANDARD_INPUT else path


def read_pieces(path: str) -> Iterator[str]:
    """Yield the text of a file, decompressed if it ends in ``.gz``, without a byte order mark."""
    shown = shown_path(path)
    line = 1
    try:
        with _open(path) as stream:
            while piece := stream.read(_PIECE_SIZE):
                piece += stream.readline()
                if line == 1:
                    piece = piece.removeprefix(_BYTE_ORDER_MARK)
                yield _decode(piece, shown, line)
                line += piece.count(b"\n")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        msg = f"{shown} must be a gzip file, as its name suggests ({error})"
        raise ValueError(msg) from None
    except OSError as error:
        msg = f"{shown} cannot be read: {error.strerror}"
        raise ValueError(msg) from None


def is_frame(path: str) -> bool:
    """Return whether the name of a file is that of a frame that pandas reads."""
    return Path(path).suffix.lower() in _FRAME_READERS


def frame_pieces(path: str) -> Iterator[str]:
    """Yield the text of a Parquet or Feather file, as pandas would write it to a CSV file."""
    try:
        import pandas as pd

        frame = getattr(pd, _FRAME_READERS[Path(path).suffix.lower()])(path)
    except ImportError as error:
        msg = (
            f"{path} is read by pandas with pyarrow, which cannot be imported ({error}); install "
            "them, or save the file as CSV"
        )
        raise ValueError(msg) from None
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read by pandas: {getattr(error, 'strerror', None) or error}"
        raise ValueError(msg) from None
    has_index = frame.index.name is not None or not frame.index.equals(pd.RangeIndex(len(frame)))
    yield frame.to_csv(index=has_index, lineterminator="\n")


def _open(path: str) -> AbstractContextManager[BinaryIO]:
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed")
        return nullcontext(sys.stdin.buffer)
    if path.lower().endswith(".gz"):
        return cast("AbstractContextManager[BinaryIO]", gzip.open(path))
    return Path(path).open("rb")


def _decode(piece: bytes, shown: str, line: int) -> str:
    position = piece.find(b"\0")
    try:
        text = piece.decode()
    except UnicodeDecodeError as error:
        position = error.start
    else:
        if position < 0:
            return text
    line += piece.count(b"\n", 0, position)
    msg = (
        f"{shown}, line {line}: must be UTF-8 text, got byte {piece[position]:#04x}; save the file "
        "in this encoding"
    )
    raise ValueError(msg)
