"""Tests in forks of the process that collected them: what they report, print and share; ends of a worker."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import ROOT

PASSES = """
import os

def test_prints(capfd):
    os.system("echo printed")
    assert capfd.readouterr().out == "printed\\n"

def test_is_alone(tmp_path):
    assert not list(tmp_path.iterdir())
"""
FAILS = """
import pytest

@pytest.fixture(scope="module")
def torn_down(tmp_path_factory):
    yield
    (tmp_path_factory.getbasetemp() / "torn-down").touch()

def test_fails(torn_down):
    assert [1, 2] == [1, 3]
"""
ENDS = "import os\n\ndef test_ends():\n    os._exit(3)\n"


def run(folder, *arguments, **files):
    """Run the tests of *files* in *folder* in two workers; return the exit code and what is printed."""
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments),
            *("-p", "tests.forked_workers", "--workers", "2"),
            *("--basetemp", str(folder / "temporary")),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_workers_report_what_pytest_would(tmp_path):
    code, printed = run(tmp_path, one=PASSES, two=FAILS, three=PASSES, four=PASSES)
    assert code == 1
    assert "assert [1, 2] == [1, 3]" in printed
    assert "1 failed, 6 passed" in printed
    assert (tmp_path / "temporary" / "torn-down").exists()


def test_a_worker_that_ends_fails_the_run(tmp_path):
    code, printed = run(tmp_path, one=ENDS)
    assert code == 1
    assert "a worker ended in test_one.py::test_ends" in printed


def test_first_failure_stops_the_workers(tmp_path):
    waits = "import time\n\ndef test_waits():\n    time.sleep(600)\n"
    code, printed = run(tmp_path, "-x", one=FAILS, two=waits)
    assert code == 1
    assert "1 failed" in printed
