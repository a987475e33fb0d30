"""What a bench says of the machine it ran on, and of the build."""

from __future__ import annotations

import json
import os
import platform

import parlour


def cpu_model() -> str:
    """The processor's name."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def build_flags() -> str:
    """Our compiler flags: native for a checkout, portable for a wheel."""
    with open(os.path.join(os.path.dirname(parlour.__file__), "_compiled.json"), encoding="utf-8") as file:
        return str(json.load(file).get("flags", "not told"))
