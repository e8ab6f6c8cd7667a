"""The harness: methods and peers over gold standards, each page once, with quality and time."""

from pipelines.evaluation.harness.isolation import Limits
from pipelines.evaluation.harness.results import PageResult, Run
from pipelines.evaluation.harness.run import RunOptions, evaluate
from pipelines.evaluation.harness.specs import Subject, subject, subjects_of

__all__ = [
    "Limits",
    "PageResult",
    "Run",
    "RunOptions",
    "Subject",
    "evaluate",
    "subject",
    "subjects_of",
]
