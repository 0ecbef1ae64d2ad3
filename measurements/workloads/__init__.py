"""What is measured (programs), and with what (peers, ours, pairs); measurements/tracing.py prints it."""
