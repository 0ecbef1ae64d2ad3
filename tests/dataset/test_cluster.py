"""A build on Ray gives the bytes of a build here. Skipped where Ray is not installed (the extra `scale`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.dataset.build import Progress, build
from deskcheck.dataset.cluster import on_ray
from deskcheck.errors import MissingExtra
from deskcheck.plugins import SourceOptions

OPTIONS = SourceOptions(source="generated", family="easy", n=120, seed=4)


def contents(out: Path) -> dict[str, bytes]:
    """Files whose bytes inputs and configuration determine."""
    files = [file for file in out.iterdir() if file.name not in (".lock", "run.jsonl")]
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.filterwarnings("ignore")
def test_a_build_on_ray_is_byte_for_byte_the_one_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RAY_agent_register_timeout_ms", "200000")  # its agents start slowly on a busy machine
    ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'deskcheck[scale]'")
    build(OPTIONS, tmp_path / "here", shard_size=50)
    try:
        build(OPTIONS, tmp_path / "there", shard_size=50, trace=on_ray("local"))
    finally:
        ray.shutdown()
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_without_ray_the_install_line_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[scale\]"):
        on_ray("auto")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_node_that_dies_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RAY_agent_register_timeout_ms", "200000")
    ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'deskcheck[scale]'")
    from ray.cluster_utils import Cluster

    options = SourceOptions(source="generated", family="easy", n=600, seed=4)
    build(options, tmp_path / "here", shard_size=50)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    other = cluster.add_node(num_cpus=1)
    killed = []

    def progress(so_far: Progress) -> None:
        if so_far.n_run == 150:
            cluster.remove_node(other, allow_graceful=False)
            killed.append(so_far.n_run)

    try:
        trace = on_ray(cluster.address)
        assert ray.cluster_resources()["CPU"] == 2
        build(options, tmp_path / "there", shard_size=50, trace=trace, progress=progress)
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert killed == [150]
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
