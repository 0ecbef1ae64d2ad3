"""Datasets: programs in, traces through the sandbox, shards out (build.py); what one says (command.py)."""
