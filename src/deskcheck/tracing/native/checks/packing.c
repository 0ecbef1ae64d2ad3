/* Columns to bytes and back, for small traces: what buffers.make_packed and packed.pack, unpack do per column.
 *
 *   gather(columns, names, widths, groups) -> (list, counts, present) | None
 *   join(start, present, columns, offsets, texts) -> bytes
 *   split(data, at, present, counts, widths, groups) -> (list, offsets) | None
 *
 * `widths`, `groups`: of each column of deskcheck.buffers.COLUMNS, one byte each; width 0 = texts with offsets.
 * None = something does not fit: the same steps in Python then say what. Nothing is read beyond what is there.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include "checks.h"

enum { MOST_COLUMNS = 62, MOST_GROUPS = 8 };

static Py_ssize_t
padding(Py_ssize_t n)
{
    return -n & 7;
}

/* Length of a buffer of bytes; -1 with an exception. */
static Py_ssize_t
length_of(PyObject *buffer)
{
    if (PyBytes_CheckExact(buffer)) {
        return PyBytes_GET_SIZE(buffer);
    }
    Py_buffer view;
    if (PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    Py_ssize_t n = view.len;
    PyBuffer_Release(&view);
    return n;
}

static PyObject *
gather(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *columns, *names;
    const char *widths, *groups;
    Py_ssize_t n_widths, n_groups, counts[MOST_GROUPS] = {0};
    unsigned long long present = 0;
    if (!PyArg_ParseTuple(args, "O!O!y#y#", &PyDict_Type, &columns, &PyTuple_Type, &names, &widths, &n_widths,
                          &groups, &n_groups)) {
        return NULL;
    }
    Py_ssize_t n_columns = PyTuple_GET_SIZE(names), n_most = 0;
    if (n_widths != n_columns || n_groups != n_columns || n_columns > MOST_COLUMNS) {
        Py_RETURN_NONE;
    }
    PyObject *empty = PyBytes_FromStringAndSize(NULL, 0), *found = PyList_New(n_columns), *offsets = NULL;
    n_most = n_columns ? groups[n_columns - 1] + 1 : 0; /* they are in order */
    int fits = empty != NULL && found != NULL && n_most <= MOST_GROUPS;
    Py_ssize_t n_known = 0;
    for (Py_ssize_t i = 0; i < n_columns && fits; i++) {
        PyObject *column = PyDict_GetItemWithError(columns, PyTuple_GET_ITEM(names, i));
        n_known += column != NULL;
        column = column == NULL ? empty : column;
        PyList_SET_ITEM(found, i, Py_NewRef(column));
        Py_ssize_t size = length_of(column), n;
        if (widths[i]) {
            n = size / widths[i];
            fits = size >= 0 && size % widths[i] == 0;
        } else {
            offsets = PyDict_GetItemString(columns, "values.data.offsets");
            n_known += offsets != NULL;
            Py_ssize_t n_bytes = offsets == NULL ? 0 : length_of(offsets);
            n = n_bytes > 4 ? n_bytes / 4 - 1 : 0;
            fits = size >= 0 && n_bytes >= 0 && n_bytes % 4 == 0;
        }
        if (fits && n > 0) {
            Py_ssize_t *count = &counts[(int)groups[i]];
            fits = groups[i] < n_most && (*count == 0 || *count == n);
            *count = n;
            present |= 1ull << i;
        }
    }
    Py_XDECREF(empty);
    if (!fits || n_known != PyDict_GET_SIZE(columns) || PyErr_Occurred()) {
        PyErr_Clear();
        Py_XDECREF(found);
        Py_RETURN_NONE;
    }
    PyObject *tuple = PyTuple_New(n_most);
    for (Py_ssize_t i = 0; i < n_most && tuple != NULL; i++) {
        PyTuple_SET_ITEM(tuple, i, PyLong_FromSsize_t(counts[i]));
    }
    return tuple == NULL ? NULL : Py_BuildValue("(NNK)", found, tuple, present);
}

static PyObject *
join(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *start, *columns, *offsets, *joined = NULL;
    unsigned long long present;
    int texts, n_views = 0;
    if (!PyArg_ParseTuple(args, "SKO!Oi", &start, &present, &PyList_Type, &columns, &offsets, &texts)) {
        return NULL;
    }
    Py_buffer views[MOST_COLUMNS + 1];
    Py_ssize_t n_columns = PyList_GET_SIZE(columns), size = PyBytes_GET_SIZE(start);
    size += padding(size);
    for (Py_ssize_t i = 0; i < n_columns && i < MOST_COLUMNS; i++) {
        for (int is_column = i != texts; is_column < 2 && present >> i & 1; is_column++) {
            PyObject *part = is_column ? PyList_GET_ITEM(columns, i) : offsets;
            if (PyObject_GetBuffer(part, &views[n_views], PyBUF_SIMPLE) < 0) {
                goto done;
            }
            size += views[n_views].len + padding(views[n_views].len);
            n_views++;
        }
    }
    joined = PyBytes_FromStringAndSize(NULL, size);
    if (joined != NULL) {
        char *at = PyBytes_AS_STRING(joined);
        for (int i = -1; i < n_views; i++) {
            Py_ssize_t n = i < 0 ? PyBytes_GET_SIZE(start) : views[i].len;
            memcpy(at, i < 0 ? PyBytes_AS_STRING(start) : views[i].buf, n);
            memset(at + n, 0, padding(n));
            at += n + padding(n);
        }
    }
done:
    while (n_views > 0) {
        PyBuffer_Release(&views[--n_views]);
    }
    return joined;
}

/* Whether zeros lie from `at` to the next multiple of 8, which is where it is then. */
static int
skip_padding(const char *data, Py_ssize_t size, Py_ssize_t *at)
{
    for (; *at & 7; ++*at) {
        if (*at >= size || data[*at] != 0) {
            return 0;
        }
    }
    return 1;
}

/* The last of n + 1 offsets, which begin at 0 and never fall; -1. */
static Py_ssize_t
last_offset(const char *offsets, Py_ssize_t n)
{
    int32_t before = 0, now;
    for (Py_ssize_t i = 0; i <= n; i++) {
        memcpy(&now, offsets + 4 * i, 4);
        if (now < before || (i == 0 && now != 0)) {
            return -1;
        }
        before = now;
    }
    return before;
}

static PyObject *
split(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *data, *widths, *groups;
    Py_ssize_t size, at, n_widths, n_columns;
    unsigned long long present;
    PyObject *counts;
    if (!PyArg_ParseTuple(args, "y#nKO!y#y#", &data, &size, &at, &present, &PyTuple_Type, &counts, &widths, &n_widths,
                          &groups, &n_columns)) {
        return NULL;
    }
    PyObject *columns = PyList_New(n_columns), *offsets = PyBytes_FromStringAndSize(NULL, 0);
    int fits = columns != NULL && offsets != NULL && n_widths == n_columns && n_columns <= MOST_COLUMNS
               && at >= 0 && at <= size && skip_padding(data, size, &at);
    for (Py_ssize_t i = 0; i < n_columns && columns != NULL; i++) {
        Py_ssize_t length = 0;
        if (fits && present >> i & 1) {
            Py_ssize_t n = groups[i] < PyTuple_GET_SIZE(counts)
                               ? PyLong_AsSsize_t(PyTuple_GET_ITEM(counts, (Py_ssize_t)groups[i])) : -1;
            fits = n >= 0 && n <= size;
            if (fits && widths[i]) {
                length = n * widths[i];
            } else if (fits && (fits = 4 * (n + 1) <= size - at)) {
                Py_SETREF(offsets, PyBytes_FromStringAndSize(data + at, 4 * (n + 1)));
                length = last_offset(data + at, n);
                at += 4 * (n + 1);
                fits = offsets != NULL && length >= 0 && skip_padding(data, size, &at);
            }
            fits = fits && length <= size - at;
        }
        PyObject *column = PyBytes_FromStringAndSize(data + (fits ? at : 0), fits ? length : 0);
        fits = fits && column != NULL;
        PyList_SET_ITEM(columns, i, column);
        at += fits ? length : 0;
        fits = fits && skip_padding(data, size, &at);
    }
    if (!fits || at != size || PyErr_Occurred()) {
        PyErr_Clear();
        Py_XDECREF(columns);
        Py_XDECREF(offsets);
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(NN)", columns, offsets);
}

PyMethodDef deskcheck_packing_methods[] = {
    {"gather", gather, METH_VARARGS, "Columns in order, their counts, bits of those that are there; None."},
    {"join", join, METH_VARARGS, "The bytes of a packed trace."},
    {"split", split, METH_VARARGS, "Columns and offsets of a packed trace; None."},
    {NULL, NULL, 0, NULL},
};
