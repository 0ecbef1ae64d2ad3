/* What a program does to its own tracing: switches of a frame, code objects, hooks of the interpreter.
 *
 *   forget_changes(codes)    a program begins, which consists of these code objects and of those nested in them
 *   changes() -> int         how often it has switched the lines or instructions of a frame off, made a code object from
 *                            parts or from its own ones, or given a function code of another text
 *   has_hooks() -> bool      whether it has set a hook whose steps nothing can record: the interpreter switches tracing off
 *                            while a profile function, an audit hook or a callback of sys.monitoring runs
 *
 * What it sets holds as it would without us. The interpreter itself reports hooks, by audit events, whatever way they
 * were set. `sys.settrace`: tracer.c; code under the file name of a program that its source does not contain: equal_code.c.
 */
#include "frames/frames.h"
#include <structmember.h>

static long n_changes;
static PyObject *own; /* owned tuple: the program's code objects */
static int is_heard, n_hooks; /* is_heard: the interpreter's audit events come to this file */
static setter set_code_before, set_opcodes_before;
static PyCFunction replace_before[2]; /* `replace` of code objects, and `__replace__` from 3.13 on */
static newfunc new_code_before;

/* ------------------------------------------------------------------ frames */

static PyObject *
get_switch(PyObject *frame, void *is_lines)
{
    return PyBool_FromLong(is_lines ? ((PyFrameObject *)frame)->f_trace_lines : ((PyFrameObject *)frame)->f_trace_opcodes);
}

static int
set_switch(PyObject *frame, PyObject *value, void *is_lines)
{
    PyFrameObject *f = (PyFrameObject *)frame;
    char *place = is_lines ? &f->f_trace_lines : &f->f_trace_opcodes;
    if (value == NULL || !PyBool_Check(value)) {
        PyErr_SetString(PyExc_TypeError, value == NULL ? "can't delete numeric/char attribute" : "attribute value type must be bool");
        return -1;
    }
    n_changes += *place && value == Py_False;
    *place = value == Py_True;
    return 0;
}

static PyGetSetDef switches[] = {
    {"f_trace_lines", get_switch, set_switch, NULL, (void *)1},
    {"f_trace_opcodes", get_switch, set_switch, NULL, NULL},
};

/* From 3.12 on it is an attribute with a setter of its own, which does more than to write it. */
static int
set_opcodes(PyObject *frame, PyObject *value, void *closure)
{
    n_changes += ((PyFrameObject *)frame)->f_trace_opcodes && value == Py_False;
    return set_opcodes_before(frame, value, closure);
}

/* ------------------------------------------------------------------ code objects */

/* Whether code of the program has given way to other code. That of libraries is a single step in any case. */
static int
is_other_code(PyObject *before, PyObject *value)
{
    return own != NULL && PyCode_Check(value) && !is_equal_code((PyCodeObject *)before, (PyCodeObject *)value) &&
           is_compiled(own, (PyCodeObject *)before);
}

static int
set_code(PyObject *function, PyObject *value, void *closure)
{
    PyObject *before = Py_NewRef(PyFunction_GET_CODE(function));
    int result = set_code_before(function, value, closure);
    n_changes += result == 0 && value != NULL && is_other_code(before, value);
    Py_DECREF(before);
    return result;
}

static PyObject *
replaced(int which, PyObject *code, PyObject *const *arguments, Py_ssize_t n, PyObject *names)
{
    PyObject *result = ((_PyCFunctionFastWithKeywords)(void (*)(void))replace_before[which])(code, arguments, n, names);
    n_changes += result != NULL && is_other_code(code, result);
    return result;
}

static PyObject *
replace(PyObject *code, PyObject *const *arguments, Py_ssize_t n, PyObject *names)
{
    return replaced(0, code, arguments, n, names);
}

static PyObject *
replace_by_protocol(PyObject *code, PyObject *const *arguments, Py_ssize_t n, PyObject *names)
{
    return replaced(1, code, arguments, n, names);
}

static PyObject *
new_code(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    PyObject *result = new_code_before(type, arguments, names);
    n_changes += result != NULL;
    return result;
}

/* ------------------------------------------------------------------ hooks */

/* The interpreter's own report. It comes before the hook is set. */
static int
hear(const char *event, PyObject *Py_UNUSED(arguments), void *Py_UNUSED(data))
{
    if (strncmp(event, "sys.", 4) == 0 && (strcmp(event + 4, "setprofile") == 0 || strcmp(event + 4, "addaudithook") == 0 ||
                                           strcmp(event + 4, "monitoring.register_callback") == 0)) {
        n_hooks++;
        if (active_tracer != NULL) {
            active_tracer->is_brute = 1; /* a hook can change any object between two steps */
        }
    }
    return 0;
}

/* ------------------------------------------------------------------ module */

/* The attribute's own description, or NULL: it is none that has a setter. */
static PyGetSetDef *
described(PyObject *names, const char *name)
{
    PyObject *descriptor = PyDict_GetItemString(names, name);
    return descriptor != NULL && Py_IS_TYPE(descriptor, &PyGetSetDescr_Type) ? ((PyGetSetDescrObject *)descriptor)->d_getset : NULL;
}

static int
replace_member(PyObject *names, PyGetSetDef *def)
{
    PyObject *descriptor = PyDict_GetItemString(names, def->name);
    if (descriptor == NULL || !Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
        return 0;
    }
    PyObject *fresh = PyDescr_NewGetSet(&PyFrame_Type, def);
    int result = fresh == NULL ? -1 : PyDict_SetItemString(names, def->name, fresh);
    Py_XDECREF(fresh);
    return result;
}

static void
guard_switches_and_functions(PyObject *frames, PyObject *functions)
{
    PyGetSetDef *code = described(functions, "__code__"), *opcodes = described(frames, "f_trace_opcodes");
    if (code != NULL && code->set != set_code) {
        set_code_before = code->set;
        code->set = set_code;
    }
    if (opcodes != NULL && opcodes->set != set_opcodes && opcodes->set != set_switch) {
        set_opcodes_before = opcodes->set;
        opcodes->set = set_opcodes;
    }
}

static void
guard_codes(PyObject *codes)
{
    static const char *const names[] = {"replace", "__replace__"};
    static PyCFunction const ours[] = {(PyCFunction)(void (*)(void))replace, (PyCFunction)(void (*)(void))replace_by_protocol};
    for (int i = 0; i < 2; i++) {
        PyObject *found = PyDict_GetItemString(codes, names[i]);
        PyMethodDef *def = found != NULL && Py_IS_TYPE(found, &PyMethodDescr_Type) ? ((PyMethodDescrObject *)found)->d_method : NULL;
        if (def != NULL && def->ml_meth != ours[i] && (def->ml_flags & (METH_FASTCALL | METH_KEYWORDS)) == (METH_FASTCALL | METH_KEYWORDS)) {
            replace_before[i] = def->ml_meth;
            def->ml_meth = ours[i];
        }
    }
    if (PyCode_Type.tp_new != new_code) {
        new_code_before = PyCode_Type.tp_new;
        PyCode_Type.tp_new = new_code;
    }
}

static int
guard(void)
{
    PyObject *frames = dict_of(&PyFrame_Type), *functions = dict_of(&PyFunction_Type), *codes = dict_of(&PyCode_Type);
    guard_switches_and_functions(frames, functions);
    guard_codes(codes);
    int result = replace_member(frames, &switches[0]) < 0 || replace_member(frames, &switches[1]) < 0 ? -1 : 0;
    PyType_Modified(&PyFrame_Type);
    Py_DECREF(frames);
    Py_DECREF(functions);
    Py_DECREF(codes);
    return result;
}

static PyObject *
forget_changes(PyObject *Py_UNUSED(module), PyObject *codes)
{
    if (!PyTuple_CheckExact(codes)) {
        PyErr_SetString(PyExc_TypeError, "forget_changes(codes): codes is a tuple of code objects");
        return NULL;
    }
    if (!is_heard) { /* from the first program on: a process that traces none pays nothing */
        if (PySys_AddAuditHook(hear, NULL) < 0) {
            return NULL;
        }
        is_heard = 1;
    }
    if (active_tracer == NULL) { /* else it is the program that calls this, which would hide what it did */
        Py_XSETREF(own, Py_NewRef(codes));
        n_changes = n_hooks = 0;
    }
    Py_RETURN_NONE;
}

static PyObject *
changes(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(n_changes);
}

static PyObject *
has_hooks(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(n_hooks);
}

static PyMethodDef methods[] = {
    {"forget_changes", forget_changes, METH_O, "forget_changes(codes): a program of these code objects begins"},
    {"changes", changes, METH_NOARGS, "changes() -> how often it has changed its own tracing"},
    {"has_hooks", has_hooks, METH_NOARGS, "has_hooks() -> whether it has set a hook that runs untraced"},
    {NULL, NULL, 0, NULL},
};

int
tampering_ready(PyObject *module)
{
    return guard() < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
