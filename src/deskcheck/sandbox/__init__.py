"""Run jobs on untrusted programs in contained child processes; the outcome of each is data.

    containment.run([Job("1", "deskcheck.tracing.job:run", payload, Limits())]) -> JobResult, ..  in order

Covered at every level: time (the parent's clock and SIGKILL to the whole group), memory, output, file
size, open files; crashes, forged or torn results, a killed zygote; nothing of the caller's environment,
descriptors or import path reaches the program. From level "seccomp" on: writing, network, processes,
signals; from "kernel" on (Landlock): reading outside the interpreter's own files; at "full" (namespaces):
seeing that anything else exists.
Not covered: bugs of the kernel behind the allowed calls; timing; at "limits" all but time, memory and
output; a program that lies about itself (whoever runs in a process can say anything in its name; the parent
checks that a result is well formed and consistent, not that it is true). Threat model: docs/sandbox.md.
A zygote imports this package, so it imports nothing: `containment.py` is its face.
"""

LEVELS = ("limits", "seccomp", "kernel", "full")
"""From the weakest; docs/sandbox.md says what each promises."""
