"""Build datasets of traces: run programs in the sandbox and write their traces into shards.

build.py      build a dataset, or resume a build
command.py    text of `deskcheck build` and `deskcheck data`, and the dataset card
intake.py     inputs in their order: traced, or dropped before they run
ahead.py      programs of a source made in processes of their own
folder.py     files of a dataset folder, written so that an interrupted build can be resumed
journal.py    calls that were chosen by trial runs, kept so that a resumed build need not try them again
filters.py    filters that leave out programs or runs
calls.py      datasets of calls recorded under pytest
cluster.py    builds on a Ray cluster
published.py  programs of the benchmarks, for fingerprints and reports
"""
