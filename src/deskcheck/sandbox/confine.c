/* deskcheck.sandbox._confine: what a process gives up before it runs foreign code. confine.py says when.

Covered here: capabilities and privileges, files, network, signals, system calls; namespaces.c has the calls for the rest.
Not covered: kernel bugs behind the allowed calls, timing channels, what stat tells about a path (level kernel). */
#include "confine.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

PyObject *failed(const char *what) {
    int number = errno;
    char text[200];
    snprintf(text, sizeof text, "%s: %s", what, strerror(number));
    PyObject *error = PyObject_CallFunction(PyExc_OSError, "is", number, text);
    if (error != NULL) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    return NULL;
}

/* drop_privileges(): no capability, none ever again, memory closed to other processes of the user. */
static PyObject *drop_privileges(PyObject *self, PyObject *args) {
    (void)self, (void)args;
#ifdef __linux__
    struct { uint32_t version; int pid; } head = {0x20080522, 0};
    uint32_t none[6] = {0};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return failed("no_new_privs");
    for (int number = 0; number < 64; number++)
        if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0) break; /* past the last, or no right to: it has none then */
    if (syscall(SYS_capset, &head, none) < 0) return failed("capset");
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return failed("dumpable");
    Py_RETURN_NONE;
#else
    errno = ENOSYS;
    return failed("capabilities");
#endif
}

/* close_all_but((0, 1, 2, 5)): in ascending order. In C, because a fresh child pays for each page that Python touches. */
static PyObject *close_all_but(PyObject *self, PyObject *args) {
    PyObject *kept;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &kept)) return NULL;
    long next = 0, most = sysconf(_SC_OPEN_MAX);
    for (Py_ssize_t i = 0; i <= PyTuple_GET_SIZE(kept); i++) {
        long fd = i < PyTuple_GET_SIZE(kept) ? PyLong_AsLong(PyTuple_GET_ITEM(kept, i)) : most < 0 ? 65536 : most;
        if (fd < 0) return PyErr_Occurred() ? NULL : failed("close");
#ifdef __linux__
        unsigned last = i < PyTuple_GET_SIZE(kept) ? (unsigned)(fd - 1) : ~0U;
        if (fd > next && syscall(436 /* close_range */, (unsigned)next, last, 0) == 0) next = fd;
#endif
        for (; next < fd; next++) close((int)next);
        next = fd + 1;
    }
    Py_RETURN_NONE;
}

static PyObject *die_with_parent(PyObject *self, PyObject *args) {
    (void)self, (void)args;
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return failed("parent death signal");
    Py_RETURN_NONE;
#else
    errno = ENOSYS;
    return failed("parent death signal");
#endif
}

static PyObject *py_landlock_abi(PyObject *self, PyObject *args) {
    (void)self, (void)args;
    return PyLong_FromLong(landlock_abi());
}

static PyObject *py_landlock_ruleset(PyObject *self, PyObject *args) {
    (void)self, (void)args;
    int fd = landlock_ruleset();
    return fd < 0 ? failed("Landlock") : PyLong_FromLong(fd);
}

static PyObject *py_landlock_allow(PyObject *self, PyObject *args) {
    int ruleset, path_fd;
    (void)self;
    if (!PyArg_ParseTuple(args, "ii", &ruleset, &path_fd)) return NULL;
    if (landlock_allow_reading(ruleset, path_fd) < 0) return failed("Landlock rule");
    Py_RETURN_NONE;
}

static PyObject *py_landlock_allow_changes(PyObject *self, PyObject *args) {
    int ruleset, path_fd;
    (void)self;
    if (!PyArg_ParseTuple(args, "ii", &ruleset, &path_fd)) return NULL;
    if (landlock_allow_changes(ruleset, path_fd) < 0) return failed("Landlock rule");
    Py_RETURN_NONE;
}

static PyObject *py_landlock_restrict(PyObject *self, PyObject *args) {
    int ruleset;
    (void)self;
    if (!PyArg_ParseTuple(args, "i", &ruleset)) return NULL;
    if (landlock_restrict(ruleset) < 0) return failed("Landlock");
    Py_RETURN_NONE;
}

static PyObject *py_seccomp_install(PyObject *self, PyObject *args) {
    const char *folder;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &folder)) return NULL;
    if (seccomp_install(folder) < 0) return failed("seccomp");
    Py_RETURN_NONE;
}

/* refusals() -> [(rule, call), ..] of this process. A program may ask too: nothing is forgotten by that. */
static PyObject *py_refusals(PyObject *self, PyObject *args) {
    (void)self, (void)args;
    unsigned rules = seccomp_refusals();
    PyObject *found = PyList_New(0);
    for (int rule = 1; found != NULL && rule <= RULE_KERNEL; rule++) {
        if (!(rules >> rule & 1)) continue;
        PyObject *one = Py_BuildValue("(is)", rule, seccomp_call(rule));
        if (one == NULL || PyList_Append(found, one) < 0) Py_CLEAR(found);
        Py_XDECREF(one);
    }
    return found;
}

static PyMethodDef methods[] = {
    {"close_all_but", close_all_but, METH_VARARGS, "close_all_but(fds): in ascending order; every other one is closed."},
    {"die_with_parent", die_with_parent, METH_NOARGS, "SIGKILL when the thread that forked this process ends."},
    {"drop_privileges", drop_privileges, METH_NOARGS, "No capability and none ever again; not dumpable."},
    {"landlock_abi", py_landlock_abi, METH_NOARGS, "Landlock's version here; 0 without it."},
    {"landlock_ruleset", py_landlock_ruleset, METH_NOARGS, "A descriptor: nothing is allowed."},
    {"landlock_allow", py_landlock_allow, METH_VARARGS, "landlock_allow(ruleset, fd): reading there and below."},
    {"landlock_allow_changes", py_landlock_allow_changes, METH_VARARGS, "landlock_allow_changes(ruleset, fd): files may be made and changed there."},
    {"landlock_restrict", py_landlock_restrict, METH_VARARGS, "landlock_restrict(ruleset): this process, for good."},
    {"seccomp_install", py_seccomp_install, METH_VARARGS, "seccomp_install(folder): only the listed system calls from here on, for good."},
    {"refusals", py_refusals, METH_NOARGS, "[(rule, call), ..]: what was refused to this process."},
    {NULL, NULL, 0, NULL},
};

static int exec_module(PyObject *module) { return PyModule_AddFunctions(module, namespace_methods); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)exec_module}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_confine", "What a process gives up before it runs foreign code.", 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__confine(void) { return PyModuleDef_Init(&definition); }
