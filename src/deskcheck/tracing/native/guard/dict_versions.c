/* Versions of dictionaries for 3.14, which gives them none: those that are asked about are watched until the trace is
 * over, and a write to any of them is a new version of all. Before 3.14 the interpreter counts (guard.h).
 */
#include "guard.h"

#if PY_VERSION_HEX >= 0x030E0000

uint64_t dict_writes = 1, dict_watcher_bit;
static int watcher = -1;
static PyObject **watched; /* borrowed: one that dies says so */
static Py_ssize_t n_watched, cap_watched;

static int
on_write(PyDict_WatchEvent event, PyObject *dict, PyObject *Py_UNUSED(key), PyObject *Py_UNUSED(value))
{
    dict_writes++;
    for (Py_ssize_t i = 0; event == PyDict_EVENT_DEALLOCATED && i < n_watched; i++) {
        if (watched[i] == dict) {
            watched[i--] = watched[--n_watched];
        }
    }
    return 0;
}

/* One that cannot be watched has another version each time. */
void
dict_watch(PyObject *dict)
{
    dict_writes++;
    if (watcher < 0 && (watcher = PyDict_AddWatcher(on_write)) < 0) {
        PyErr_Clear();
        return;
    }
    if (n_watched == cap_watched) {
        PyObject **more = PyMem_RawRealloc(watched, (size_t)(cap_watched * 2 + 16) * sizeof(PyObject *));
        if (more == NULL) {
            return;
        }
        watched = more;
        cap_watched = cap_watched * 2 + 16;
    }
    if (PyDict_Watch(watcher, dict) < 0) {
        PyErr_Clear();
        return;
    }
    dict_watcher_bit = UINT64_C(1) << watcher;
    watched[n_watched++] = dict;
}

void
dict_unwatch_all(void)
{
    while (n_watched) {
        if (PyDict_Unwatch(watcher, watched[--n_watched]) < 0) {
            PyErr_Clear();
        }
    }
}

#endif
