"""A study from its plan to its result: the names that commands and tools use."""

from __future__ import annotations

from .plan import Study, study_of
from .play import OtherVersion, by_processes, open_checkpoint, play_block, play_study
from .results import report
from .text import lines

__all__ = [
    "OtherVersion",
    "Study",
    "by_processes",
    "lines",
    "open_checkpoint",
    "play_block",
    "play_study",
    "report",
    "study_of",
]
