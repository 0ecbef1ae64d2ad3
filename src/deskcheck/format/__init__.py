"""The format of traces: raw columns, Arrow tables, shards of Parquet files; each loads only when imported.

buffers.py  a trace as one raw buffer per column; needs no Arrow
files.py    files written whole or not at all
arrow.py    a trace as Arrow columns: the schema of a shard
shards.py   shards and their manifest on disk, written whole and read strictly

docs/format.md explains the columns.
"""
