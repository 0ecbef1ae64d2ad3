"""The format in which traces are stored: raw columns, Arrow tables, and shards (Parquet files of traces).

buffers.py  a trace as one raw buffer per column; needs no Arrow
files.py    files written whole or not at all
arrow.py    a trace as Arrow columns: the schema of a shard
shards.py   shards and their manifest on disk, written whole and read strictly

Importing this package loads none of these modules. docs/format.md explains the columns.
"""
