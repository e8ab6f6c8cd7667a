"""Kernels: their machine code is kept, until something that they are made of changes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.kernels.byte_search import are_equal, byte_at, find_above, find_byte
from crawler.kernels.jit import is_interpreted, kernel, lean_kernel, read_only, with_first_types
from tests.forked_commands import complete_python

KERNEL = """
from crawler.kernels.jit import lean_kernel
from parts import more

@lean_kernel
def run(number):
    return more(number)

print(run(1), sum(run.stats.cache_hits.values()))
"""
PRODUCT = """
import sys
import numba
import numpy as np
from crawler.kernels.jit import lean_kernel

@lean_kernel
def run(numbers):
    return numbers[1]

print(run(np.arange(3)), "scipy.linalg" in sys.modules)
print(numba.njit(lambda a, b: np.dot(a, b))(np.eye(2), np.ones((2, 2))).sum())
"""
TYPED = """
from crawler.kernels.jit import kernel
from {module} import Pair

@kernel
def run(pair):
    return pair.first

print(run(Pair(1, 2)), sum(run.stats.cache_hits.values()))
"""
PAIR = """
from typing import NamedTuple

class Pair(NamedTuple):
    first: int
    second: int
"""
PARTS = """
from constants import STEP
from crawler.kernels.jit import part

@part
def more(number):
    return number + STEP
"""


def run(folder, *arguments):
    """Run kernels.py of *folder* in a process of its own, which has imported numba; return its lines."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = complete_python("-c", "import kernels", *arguments, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_kept_until_a_part_or_a_constant_changes(tmp_path):
    """It stands and falls with an attribute of numba's that is not public."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "kernels.py").write_text(KERNEL)
    (package / "parts.py").write_text(PARTS)
    (package / "constants.py").write_text("STEP = 1\n")
    assert run(package) == ["2 0"]
    assert run(package) == ["2 1"]
    (package / "parts.py").write_text(PARTS.replace("number + STEP", "number + 2 * STEP"))
    assert run(package) == ["3 0"]
    (package / "constants.py").write_text("STEP = 10\n")
    assert run(package) == ["21 0"]


def test_the_compiler_logs_nothing_in_a_crawl_at_the_level_of_a_new_scrapy_project(tmp_path):
    crawl = "import logging\nimport crawler.extensions.compiled_kernels\nlogging.basicConfig(level=logging.DEBUG)\n"
    (tmp_path / "kernels.py").write_text(crawl + KERNEL)
    (tmp_path / "parts.py").write_text(PARTS)
    (tmp_path / "constants.py").write_text("STEP = 1\n")
    assert run(tmp_path) == ["2 0"]


def test_a_constant_from_another_folder_counts(tmp_path):
    package, elsewhere = tmp_path / "package", tmp_path / "elsewhere"
    package.mkdir()
    elsewhere.mkdir()
    (package / "kernels.py").write_text(f"import sys; sys.path.append({str(elsewhere)!r})" + KERNEL)
    (package / "parts.py").write_text(PARTS)
    (elsewhere / "constants.py").write_text("STEP = 1\n")
    assert run(package) == ["2 0"]
    # Of another length: within one second Python itself takes a file of the same one for unchanged.
    (elsewhere / "constants.py").write_text("STEP = 50\n")
    assert run(package) == ["51 0"]


@lean_kernel
def _found(source, start, end, byte):
    place = find_byte(source, start, end, byte)
    return place if place == end else place + (byte_at(source, place) != byte)


def test_code_whose_types_an_update_moved_is_compiled_again(tmp_path):
    """The names of types stand in what is kept: unpickling it was a traceback."""
    # Of another length: within one second Python itself takes a file of the same one for unchanged.
    for module in ("kinds", "room_of_kinds"):
        (tmp_path / f"{module}.py").write_text(PAIR)
        (tmp_path / "kernels.py").write_text(TYPED.format(module=module))
        assert run(tmp_path) == ["1 0"]
        assert run(tmp_path) == ["1 1"]
        (tmp_path / f"{module}.py").unlink()


@pytest.mark.parametrize("kept", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 100])
def test_code_that_a_crash_left_in_part_is_compiled_again(tmp_path, kept, left):
    (tmp_path / "constants.py").write_text("STEP = 1")
    (tmp_path / "parts.py").write_text(PARTS)
    (tmp_path / "kernels.py").write_text(KERNEL)
    assert run(tmp_path) == ["2 0"]
    (path,) = (tmp_path / "__pycache__").glob(f"kernels.run*.{kept}")
    path.write_bytes(path.read_bytes()[:left])
    assert run(tmp_path) == ["2 0"]
    assert run(tmp_path) == ["2 1"]


@given(st.binary(max_size=200), st.integers(0, 200), st.integers(0, 255))
def test_find_byte(data, start, byte):
    start = min(start, len(data))
    found = _found(np.frombuffer(data, np.uint8), start, len(data), byte)
    place = data.find(bytes([byte]), start)
    assert found == (len(data) if place < 0 else place)


@lean_kernel
def _above(source, start, end, byte):
    return find_above(source, start, end, byte)


@given(st.binary(max_size=200), st.integers(0, 200), st.integers(0, 255))
def test_find_above(data, start, byte):
    start = min(start, len(data))
    found = _above(np.frombuffer(data, np.uint8), start, len(data), byte)
    assert found == next((i for i in range(start, len(data)) if data[i] > byte), len(data))


def test_a_program_that_can_keep_no_code_says_what_mends_it():
    names = {}
    exec("def made(number): return number", names)  # of no file, so kept nowhere
    with pytest.raises(InputError, match="NUMBA_CACHE_DIR"):
        kernel(names["made"])


@pytest.mark.slow
def test_linear_algebra_is_imported_for_those_who_use_it(tmp_path):
    """It stands and falls with a function of numba's that is not public."""
    (tmp_path / "kernels.py").write_text(PRODUCT)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-c", "import kernels"]
    process = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    assert process.stdout.split() == ["1", "False", "4.0"]


@lean_kernel
def _same(source, one, other, size):
    return are_equal(source, one, other, size)


@given(st.binary(min_size=1, max_size=20), st.integers(0, 40), st.data())
def test_are_equal(data, size, draw):
    text = (data * 81)[:80]
    one, other = (draw.draw(st.integers(0, 80 - size)) for _ in range(2))
    same = _same(np.frombuffer(text, np.uint8), one, other, size)
    assert same == (text[one : one + size] == text[other : other + size])


COMPILED_ON_A_TERMINAL = """
import os, pty, select, sys
from crawler.commands.base import tell_compiling

terminal, own = pty.openpty()
is_terminal = sys.argv[1] == "terminal"
sys.stderr = os.fdopen(own if is_terminal else os.open(os.devnull, os.O_WRONLY), "w", buffering=1)
tell_compiling()
from crawler.kernels.jit import kernel

@kernel
def twice(number):
    return 2 * number

@kernel
def thrice(number):
    return 3 * number

print(twice(1), thrice(1), sum(twice.stats.cache_hits.values()))
print(os.read(terminal, 1000) if select.select([terminal], [], [], 0)[0] else "")
"""


def test_a_kernel_that_is_compiled_is_told_once_on_a_terminal(tmp_path):
    (tmp_path / "kernels.py").write_text(COMPILED_ON_A_TERMINAL)
    line = "b'Compiling its kernels once, up to a minute\\r\\n'"
    assert run(tmp_path, "elsewhere") == ["2 3 0", ""]
    (tmp_path / "kernels.py").write_text(COMPILED_ON_A_TERMINAL + "\n")
    assert run(tmp_path, "terminal") == ["2 3 0", line]
    assert run(tmp_path, "terminal") == ["2 3 1", ""]


def test_views_that_are_read_only_are_to_kernels_as_arrays_over_bytes():
    array = np.zeros(3, dtype=np.uint8)
    view = read_only(array)
    assert numba.typeof(view) == numba.typeof(np.frombuffer(b"abc", dtype=np.uint8))
    assert numba.typeof(view) != numba.typeof(array)
    array[0] = 1
    assert view.tolist() == [1, 0, 0]


class Pair(NamedTuple):
    numbers: np.ndarray
    factor: int


@lean_kernel
def scaled(pair, found):
    for i in range(len(found)):
        found[i] = pair.numbers[i] * pair.factor


def test_types_are_looked_at_in_the_first_call():
    # Machine code of other types is there, too.
    scaled(Pair(np.ones(2, np.float32), 2), np.zeros(2))
    run = with_first_types(scaled)
    for factor in (2, 3):
        found = np.zeros(3)
        run(Pair(np.arange(3, dtype=np.uint64), factor), found)
        assert found.tolist() == [0, factor, 2 * factor]
    if not is_interpreted:
        with pytest.raises(TypeError):
            run(Pair(np.arange(3, dtype=np.uint32), 2), found)
        assert len(scaled.signatures) == 2
