/* Whether code that runs is code that was compiled from the source that the trace carries.
 *
 *   is_equal_code(a, b)             everything that decides what runs, and which lines and names are shown
 *   is_compiled(bodies, code)       whether it equals one of these code objects or of those nested in them
 *
 * A program can exec other code under its file's name and put other names, constants or lines into a code object.
 * Whatever way it did so, the bytes differ. Nothing that belongs to the program runs during a comparison.
 */
#include "flow.h"

/* `types.coroutine` sets it in a copy of the code. It changes no line and no value. */
#define MARKS CO_ITERABLE_COROUTINE

static int equal_constants(PyObject *a, PyObject *b);

static int
equal_bytes(PyObject *a, PyObject *b)
{
    return a == b || (a != NULL && b != NULL && PyBytes_GET_SIZE(a) == PyBytes_GET_SIZE(b) &&
                      memcmp(PyBytes_AS_STRING(a), PyBytes_AS_STRING(b), (size_t)PyBytes_GET_SIZE(a)) == 0);
}

static int
equal_tuples(PyObject *a, PyObject *b)
{
    int is_equal = PyTuple_GET_SIZE(a) == PyTuple_GET_SIZE(b);
    for (Py_ssize_t i = 0; is_equal && i < PyTuple_GET_SIZE(a); i++) {
        is_equal = equal_constants(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i));
    }
    return is_equal;
}

/* Without hashes or `==` of the members, which could be the program's. Equal sets have mostly one order. */
static int
equal_sets(PyObject *a, PyObject *b)
{
    PyObject *first = PySequence_Tuple(a), *second = PySequence_Tuple(b);
    int is_equal = first != NULL && second != NULL && PyTuple_GET_SIZE(first) == PyTuple_GET_SIZE(second);
    for (Py_ssize_t i = 0, n = is_equal ? PyTuple_GET_SIZE(first) : 0; is_equal && i < n; i++) {
        Py_ssize_t k = 0;
        while (k < n && !equal_constants(PyTuple_GET_ITEM(first, i), PyTuple_GET_ITEM(second, (i + k) % n))) {
            k++;
        }
        is_equal = k < n;
    }
    Py_XDECREF(first);
    Py_XDECREF(second);
    return is_equal;
}

static int
equal_constants(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 1;
    }
    if (a == NULL || b == NULL || Py_TYPE(a) != Py_TYPE(b)) {
        return 0;
    }
    if (PyUnicode_CheckExact(a)) {
        return PyUnicode_Compare(a, b) == 0;
    }
    if (PyLong_CheckExact(a)) {
        return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
    }
    if (PyBytes_CheckExact(a)) {
        return equal_bytes(a, b);
    }
    if (PyFloat_CheckExact(a)) { /* bit by bit: 0.0 is not -0.0 */
        return memcmp(&((PyFloatObject *)a)->ob_fval, &((PyFloatObject *)b)->ob_fval, sizeof(double)) == 0;
    }
    if (PyComplex_CheckExact(a)) {
        return memcmp(&((PyComplexObject *)a)->cval, &((PyComplexObject *)b)->cval, sizeof(Py_complex)) == 0;
    }
    if (PyTuple_CheckExact(a)) {
        return equal_tuples(a, b);
    }
    if (PyFrozenSet_CheckExact(a)) {
        return equal_sets(a, b);
    }
    if (PySlice_Check(a)) { /* a constant from 3.14 on */
        PySliceObject *first = (PySliceObject *)a, *second = (PySliceObject *)b;
        return equal_constants(first->start, second->start) && equal_constants(first->stop, second->stop) &&
               equal_constants(first->step, second->step);
    }
    return PyCode_Check(a) && is_equal_code((PyCodeObject *)a, (PyCodeObject *)b);
}

static int
equal_instructions(PyCodeObject *a, PyCodeObject *b)
{
    PyObject *first = PyCode_GetCode(a), *second = PyCode_GetCode(b);
    int is_equal = first != NULL && second != NULL && equal_bytes(first, second);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return is_equal;
}

int
is_equal_code(PyCodeObject *a, PyCodeObject *b)
{
    if (a == b) {
        return 1;
    }
    int is_equal =
        a->co_firstlineno == b->co_firstlineno && a->co_argcount == b->co_argcount &&
        a->co_posonlyargcount == b->co_posonlyargcount && a->co_kwonlyargcount == b->co_kwonlyargcount &&
        (a->co_flags & ~MARKS) == (b->co_flags & ~MARKS) && equal_constants(a->co_qualname, b->co_qualname) &&
        equal_constants(a->co_name, b->co_name) && equal_constants(a->co_filename, b->co_filename) &&
        equal_constants(a->co_names, b->co_names) && equal_constants(a->co_localsplusnames, b->co_localsplusnames) &&
        equal_bytes(a->co_localspluskinds, b->co_localspluskinds) && equal_bytes(a->co_linetable, b->co_linetable) &&
        equal_bytes(a->co_exceptiontable, b->co_exceptiontable) && equal_instructions(a, b) &&
        equal_constants(a->co_consts, b->co_consts);
    PyErr_Clear(); /* a lack of memory: then it counts as different */
    return is_equal;
}

static int
is_part(PyCodeObject *body, PyCodeObject *code)
{
    if (is_equal_code(body, code)) {
        return 1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(body->co_consts); i++) {
        PyObject *constant = PyTuple_GET_ITEM(body->co_consts, i);
        if (PyCode_Check(constant) && is_part((PyCodeObject *)constant, code)) {
            return 1;
        }
    }
    return 0;
}

int
is_compiled(PyObject *bodies, PyCodeObject *code)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bodies); i++) {
        PyObject *body = PyTuple_GET_ITEM(bodies, i);
        if (PyCode_Check(body) && is_part((PyCodeObject *)body, code)) {
            return 1;
        }
    }
    return 0;
}
