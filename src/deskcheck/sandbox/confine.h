/* What the files of `deskcheck.sandbox._confine` share. Linux only does something; elsewhere every layer is ENOSYS. */
#ifndef DESKCHECK_CONFINE_H
#define DESKCHECK_CONFINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Rules whose refusals a program's result names; the order is that of RULES in confine.py. */
enum rule {
    RULE_WRITE = 1, /* change anything in the file system */
    RULE_NETWORK,
    RULE_PROCESS, /* fork, exec */
    RULE_SIGNAL,  /* to another process */
    RULE_INSPECT, /* another process's memory or descriptors */
    RULE_LIMITS,  /* its own limits */
    RULE_FOLDER,  /* the working folder */
    RULE_KERNEL,  /* every other system call that is not on the list */
};

enum { NULL_FD = 64 }; /* as in confine.py, which opens it */

/* confine.c: raises OSError of errno, with the name of the step; NULL */
/* Raise OSError of errno, with the name of the step `what`. Always NULL. */
PyObject *failed(const char *what);

/* seccomp.c: allow-list for this process; refused calls give EPERM and are noted. -1 and errno on failure. */
int seccomp_install(const char *folder); /* "": there is none that may be written to */
unsigned seccomp_refusals(void); /* since the start, bit n = rule n; nothing takes one back */
const char *seccomp_call(int rule);  /* the one that broke it first */

/* landlock.c */
int landlock_abi(void); /* 0 = not there */
int landlock_ruleset(void); /* a descriptor that forbids everything */
enum { LANDLOCK_TRUNCATES = 3 }; /* the version from which on it sees everything that CHANGE in landlock.c names */
int landlock_allow_reading(int ruleset, int path_fd);
/* Allow the ruleset to change what lies under an open folder; both descriptors stay the caller's. 0, or -1 with
   errno. */
int landlock_allow_changes(int ruleset, int path_fd);
/* Put this thread under the ruleset for good. 0, or -1 with errno. */
int landlock_restrict(int ruleset);

/* namespaces.c: methods of the module */
extern PyMethodDef namespace_methods[];

#endif
