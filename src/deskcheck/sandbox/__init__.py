"""Run jobs on untrusted programs in contained child processes; the outcome of each is data.

    containment.run([Job("1", "deskcheck.tracing.job:run", payload, Limits())]) -> JobResult, ..  in order

Covered at every containment level: time (the parent's clock and SIGKILL to the whole group), memory, output,
file size, open files; crashes, forged or torn results, a killed zygote. The caller's environment, descriptors
and import path do not reach the program at any level. From level "seccomp" on: writing, network, processes,
signals; from "kernel" on (Landlock): reading outside the interpreter's own files; at "full" (namespaces):
the sight of other processes and files.
Not covered: kernel bugs behind the allowed calls; timing; at "limits" everything but time, memory and output;
a program that lies about itself. A program can send any result in its process's name: the parent checks that
a result is well formed and consistent, not that it is true. Threat model: docs/sandbox.md.
A zygote is a process that forks a child for each batch of jobs. It imports this package, so the package
imports nothing. Callers use `containment.py`.
"""

LEVELS = ("limits", "seccomp", "kernel", "full")
"""Containment levels from the weakest to the strongest; docs/sandbox.md describes each."""
