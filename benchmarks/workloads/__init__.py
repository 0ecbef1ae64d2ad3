"""What is measured (programs), and with what (peers, ours, pairs); benchmarks/tracing.py prints it."""
