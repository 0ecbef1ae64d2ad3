"""`pytest --deskcheck-on-failure DIR`: one page per failed test, an index, one line; outcomes stay."""

from __future__ import annotations

import base64
import json
import re
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from deskcheck.tracing.access import has_native

pytest_plugins = ["pytester"]
pytestmark = [
    pytest.mark.skipif(not has_native(), reason="calls are recorded by the C extension, which is not built"),
    pytest.mark.skipif(sys.gettrace() is not None, reason="under another tracer nothing is recorded"),
]

PRICES = """\
def total(items):
    result = 0
    for price, n in items:
        result += price * n
    return result - 1
"""
TESTS = """\
import pytest
from shop.prices import total

@pytest.fixture
def basket():
    return [(2, 3), (5, 1)]

@pytest.fixture
def broken():
    xs = []
    return xs[0]

def test_total(basket):
    basket.append((1, 1))
    found = total(basket)
    assert found == 12

def test_direct(basket):
    assert total(basket) == 11, "sum"

def test_fine():
    assert total([]) == -1

def test_setup(broken):
    pass

@pytest.mark.parametrize("n", [1, 2])
def test_params(n):
    for i in range(10):
        n += i
    assert n % 2

class TestBox:
    def test_in_class(self):
        box = {"a": [1]}
        box["a"].append(2)
        assert box == {"a": [1]}

def test_skip():
    pytest.skip("no")

@pytest.mark.xfail
def test_expected():
    assert total([(1, 1)]) == 5

def test_long():
    n = 0
    while n < 5000:
        n += 1
    assert n == 0
"""
# What a base install lacks: importing one of these fails.
BASE = """\
import sys
LACKING = ("pyarrow", "scipy", "statsmodels", "duckdb", "numpy", "pandas", "torch", "inspect_ai")
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in LACKING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.mkpydir("shop")
    (pytester.path / "shop" / "prices.py").write_text(PRICES)
    pytester.makepyfile(test_shop=TESTS, base_install=BASE)
    return pytester


def run(project: pytest.Pytester, *words: str) -> pytest.RunResult:
    plugins = ("-p", "base_install", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    return project.runpytest_subprocess("-q", *plugins, *words)


def data_of(page: Path) -> dict[str, Any]:
    """What the page knows beside its columns."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r">\s*([A-Za-z0-9+/=]{200,})\s*<", text):
        data = zlib.decompress(base64.b64decode(block))
        size = int.from_bytes(data[:4], "little")
        if data[4:5] == b"{":
            return json.loads(data[4 : 4 + size])  # type: ignore[no-any-return]
    raise AssertionError("no data")


def test_each_failed_test_has_a_page_and_the_reason_in_a_base_install(project: pytest.Pytester):
    done = run(project, "--deskcheck-on-failure", "failures")
    done.assert_outcomes(passed=2, failed=5, errors=1, skipped=1, xfailed=1)
    folder = project.path / "failures"
    done.stdout.fnmatch_lines([f"deskcheck: 6 failed tests, step by step: {folder}/index.html"])
    index = (folder / "index.html").read_text()
    links = re.findall(r'<a href="([^"#]+)#s=(\d+)', index)
    assert len(links) == 6
    assert sorted(name for name, _ in links) == sorted(p.name for p in folder.glob("test*"))
    for expected in (
        "found = 11, from step 2, line 15: found = total(basket); total(..) returned 11 at step 11, "
        "shop/prices.py, line 5: return result - 1",
        "total(..) returned 10 at step 8",
        "xs = #",
        "n = 46, from step 20, line 30: n += i",
        "[1, 2]}, from step 2, line 36: box[&#34;a&#34;].append(2)",
    ):
        assert expected in index, expected
    page = data_of(folder / "test_shop-py-test_total.html")
    assert [file["name"] for file in page["files"]] == ["", "shop/prices.py"]
    assert page["files"][1]["lines"][:5] == PRICES.splitlines()
    assert page["notes"][0] == "It failed at step 12, line 16: assert found == 12"
    assert "@py_assert" not in (folder / "test_shop-py-test_total.html").read_text()


def test_nothing_is_written_where_nothing_fails(project: pytest.Pytester):
    done = run(project, "--deskcheck-on-failure", "failures", "-k", "fine or skip or expected")
    done.assert_outcomes(passed=1, skipped=1, xfailed=1, deselected=7)
    assert "deskcheck" not in done.stdout.str() and not (project.path / "failures").exists()


def test_workers_write_pages_and_the_first_process_the_index(project: pytest.Pytester):
    pytest.importorskip("xdist", reason="needs pytest-xdist")
    done = run(project, "--deskcheck-on-failure", "failures", "-n", "2", "-k", "total or direct or fine")
    done.assert_outcomes(passed=1, failed=2)
    assert len(re.findall("<h2><a href", (project.path / "failures" / "index.html").read_text())) == 2


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("steps=50", "stopped at the limit of 50 steps; --deskcheck-max-steps changes it"),
        ("bytes=9000", "steps; --deskcheck-max-bytes changes it"),
    ],
)
def test_a_run_over_a_limit_has_a_page_and_the_index_names_the_limit(
    option: str, said: str, project: pytest.Pytester
):
    run(project, "--deskcheck-on-failure", "failures", f"--deskcheck-max-{option}", "-k", "long")
    index = (project.path / "failures" / "index.html").read_text()
    assert '<a href="test_shop-py-test_long.html#s=' in index and said in index
    assert "<code>test_shop.py:50: AssertionError</code>" in index  # where it failed after the limit


def test_a_test_of_a_hundred_thousand_lines_and_a_long_string_are_shown(pytester: pytest.Pytester):
    pytester.makepyfile(
        test_long="def test_long():\n    n = 0\n    while n < 49_998:\n        n += 1\n    assert n == 0\n",
        test_page="def test_page():\n    page = '<p>' * 2_000 + 'end'\n    assert page == ''\n",
        base_install="",
    )
    run(pytester, "--deskcheck-on-failure", "failures")
    index = (pytester.path / "failures" / "index.html").read_text()
    assert "after 99999 steps" in index and "line 5: assert n == 0" in index
    assert "page = &#39;&lt;p&gt;" in index and "not recorded" not in index


def test_a_folder_that_cannot_be_written_is_one_line(project: pytest.Pytester):
    done = run(project, "--deskcheck-on-failure", "test_shop.py")
    assert done.ret == 4
    done.stderr.fnmatch_lines(
        ["ERROR: --deskcheck-on-failure: */test_shop.py is a file; name a folder for the pages"]
    )
    done = run(project, "--deskcheck-on-failure", "/proc/nope", "-k", "total")
    assert done.ret == 1 and "INTERNALERROR" not in done.stdout.str()
    done.stdout.fnmatch_lines(["deskcheck: 1 failed test; /proc/nope cannot be written: *"])


def test_a_new_index_replaces_the_pages_of_the_one_before(project: pytest.Pytester):
    run(project, "--deskcheck-on-failure", "failures", "-k", "total or direct")
    (project.path / "failures" / "mine.html").write_text("of somebody else")
    run(project, "--deskcheck-on-failure", "failures", "-k", "direct or params")
    names = sorted(path.name.partition("-py-")[2][:11] for path in (project.path / "failures").glob("test*"))
    assert names == ["test_direct", "test_params"] and (project.path / "failures" / "mine.html").exists()


def test_options_that_do_not_go_together_or_lack_a_library_are_refused(project: pytest.Pytester):
    done = run(project, "--deskcheck-on-failure", "a", "--deskcheck-out", "b", "--deskcheck-scope", "shop")
    assert done.ret == 4
    done.stderr.fnmatch_lines(["ERROR: --deskcheck-on-failure and --deskcheck-out record in turn*"])
    done = run(project, "--deskcheck-out", "calls", "--deskcheck-scope", "shop")
    assert done.ret == 4
    done.stderr.fnmatch_lines(["ERROR: --deskcheck-out needs the library 'pyarrow'*?data?*"])
