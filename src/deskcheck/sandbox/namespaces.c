/* The calls of which confine.py makes a process's own root, network, process numbers and users. Thin: one call each,
OSError with its name. They are made in the zygote, before any foreign code. */
#include "confine.h"

#include <errno.h>

#ifdef __linux__
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NR_open_tree = 428, NR_move_mount = 429, NR_mount_setattr = 442 };
enum { OPEN_TREE_COPY = 1, RECURSIVE = 0x8000, MOVE_FROM_FD = 4 };
struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};
enum { ATTR_RDONLY = 1, ATTR_NOSUID = 2, ATTR_NODEV = 4 };

static PyObject *done(long result, const char *what) {
    if (result < 0) return failed(what);
    Py_RETURN_NONE;
}

static PyObject *py_unshare(PyObject *self, PyObject *args) {
    int flags;
    (void)self;
    if (!PyArg_ParseTuple(args, "i", &flags)) return NULL;
    return done(unshare(flags), "unshare");
}

static PyObject *py_setns(PyObject *self, PyObject *args) {
    int fd, kind;
    (void)self;
    if (!PyArg_ParseTuple(args, "ii", &fd, &kind)) return NULL;
    return done(setns(fd, kind), "setns");
}

static PyObject *make_private(PyObject *self, PyObject *args) {
    (void)self, (void)args;
    return done(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount: make private");
}

static PyObject *mount_empty(PyObject *self, PyObject *args) {
    const char *target;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &target)) return NULL;
    return done(mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, "size=256k,nr_inodes=512,mode=755"), "mount tmpfs");
}

static PyObject *bind_with(PyObject *args, uint64_t flags) {
    const char *source, *target;
    if (!PyArg_ParseTuple(args, "ss", &source, &target)) return NULL;
    int tree = (int)syscall(NR_open_tree, AT_FDCWD, source, OPEN_TREE_COPY | RECURSIVE | O_CLOEXEC);
    if (tree < 0) return done(-1, "open_tree");
    struct mount_attributes attributes = {flags, 0, 0, 0};
    const char *what = "mount_setattr";
    long result = syscall(NR_mount_setattr, tree, "", AT_EMPTY_PATH | RECURSIVE, &attributes, sizeof attributes);
    if (result == 0) {
        what = "move_mount";
        result = syscall(NR_move_mount, tree, "", AT_FDCWD, target, MOVE_FROM_FD);
    }
    int number = errno;
    close(tree);
    errno = number;
    return done(result, what);
}

static PyObject *bind_read_only(PyObject *self, PyObject *args) {
    (void)self;
    return bind_with(args, ATTR_RDONLY | ATTR_NOSUID);
}

static PyObject *bind(PyObject *self, PyObject *args) {
    (void)self;
    return bind_with(args, ATTR_NOSUID | ATTR_NODEV);
}

/* `root` becomes "/", read-only; nothing of the old one stays reachable. */
static PyObject *pivot(PyObject *self, PyObject *args) {
    const char *root;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &root)) return NULL;
    if (chdir(root) < 0) return done(-1, "chdir");
    /* Both names "." puts the old root over the new one, from where it is taken off: pivot_root(2). */
    if (syscall(SYS_pivot_root, ".", ".") < 0) return done(-1, "pivot_root");
    if (umount2(".", MNT_DETACH) < 0) return done(-1, "umount");
    if (chdir("/") < 0) return done(-1, "chdir");
    return done(mount("none", "/", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL), "mount: read-only");
}

PyMethodDef namespace_methods[] = {
    {"unshare", py_unshare, METH_VARARGS, "unshare(flags)"},
    {"setns", py_setns, METH_VARARGS, "setns(fd, kind)"},
    {"make_private", make_private, METH_NOARGS, "Mounts made from here on stay in this namespace."},
    {"mount_empty", mount_empty, METH_VARARGS, "mount_empty(folder): a small file system in memory."},
    {"bind_read_only", bind_read_only, METH_VARARGS, "bind_read_only(source, target), with all below it."},
    {"bind", bind, METH_VARARGS, "bind(source, target): what is below it may be changed."},
    {"pivot", pivot, METH_VARARGS, "pivot(folder): it becomes the root, read-only."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef namespace_methods[] = {{NULL, NULL, 0, NULL}};
#endif
