"""Arrays on a device, such as a GPU, by the array API standard; no such package is imported."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def is_on_device(values: Any) -> bool:
    """Return whether an argument is an array that NumPy cannot read where it is."""
    if type(values) is np.ndarray or not hasattr(values, "__dlpack__"):
        return False
    if not getattr(values, "ndim", 0):  # columns of Arrow, which are read where they are
        return False
    nothing = (slice(0), *[slice(None)] * (values.ndim - 1))
    try:
        np.asarray(values[nothing])
    except (RuntimeError, TypeError):
        return True
    return False


def namespace_of(values: Any) -> Any:
    """Return the functions of the array API for an array, or None if none are installed."""
    if hasattr(values, "__array_namespace__"):
        return values.__array_namespace__()
    # Of scikit-learn, which has imported it, unless its version is old.
    compat = sys.modules.get("sklearn.externals.array_api_compat")
    return None if compat is None else compat.array_namespace(values)


def check_on_host(values: Any, name: str = "X") -> None:
    """Raise TypeError for data on a device."""
    if is_on_device(values):
        raise device_error(values, name)


def device_error(values: Any, name: str = "X") -> TypeError:
    """Build the error for data on a device."""
    if reason := kept_back(values):
        return TypeError(f"{name} {reason}")
    where = getattr(values, "device", "a device")
    return TypeError(
        f"{name} must be in the memory of the host here, got an array on {where}: pass "
        "its .get() or .cpu(), by what its package has"
    )


def kept_back(values: Any) -> str:
    """Return why the values of an array cannot be read anywhere, and the way out; else ""."""
    if getattr(values, "requires_grad", False):
        return "must not require a gradient: pass its .detach()"
    if str(getattr(values, "device", "")) == "meta":
        return "must have values, which an array on the device 'meta' does not have"
    if str(getattr(values, "layout", "")).startswith("torch.sparse"):
        return "must be dense: pass its .to_dense()"
    jax = sys.modules.get("jax")  # imported by whoever makes its arrays
    if jax is not None and isinstance(values, jax.core.Tracer):
        return (
            "must have values, which an array within jax.jit, grad or vmap does not have: call "
            "this outside of them, or by jax.pure_callback"
        )
    return ""


def to_host(values: Any) -> Any:
    """Return an array on a device as one in the memory of the host, unchanged if it cannot be."""
    if kept_back(values):
        return values
    try:
        for copy in ("get", "cpu"):  # CuPy, torch
            if hasattr(values, copy):
                copied = getattr(values, copy)()
                # NumPy has no such type.
                return copied.float() if str(copied.dtype) == "torch.bfloat16" else copied
        default = namespace_of(values).__array_namespace_info__().default_device()
        return np.asarray(values.to_device(default))
    except (RuntimeError, AttributeError):  # of the package, such as for torch's device "meta"
        return values
