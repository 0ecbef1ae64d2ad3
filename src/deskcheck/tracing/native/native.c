/* Read a Python frame straight from the interpreter, and call a tracer back without touching the program.
 *
 *   read_frame(frame)  -> (slots, stack | None, namespace | None)
 *   addresses(object)  -> bytes: the pointers a list, tuple, dict or set holds, in order
 *   attributes(object) -> dict | None: the real instance dictionary
 *   start(callback, own), stop(), active()     own: a file name, or a function code -> name of its file or None
 *   set_handled(exception)     what sys.exception() answers in this thread from here on
 *   unless_raised(type, hook, info)     hook(info), except for an exception of this type
 *   depth()                    depth of recursion of the frame that calls it
 *   at_depth(depth, function, ..)   the call, as if it were made by a frame at this depth
 *
 * Why C: sys.settrace copies f_locals before and after every callback below 3.13, which changes what the
 * program sees (kept locals(), reference counts, cells written by threads), and Python code cannot see the
 * value stack. Nothing here creates f_locals, writes to the frame, or runs code of the program.
 *
 * CPython 3.11 to 3.14 from one source; the differences stand in interpreter.h.
 */
#include "core/interpreter.h"

int tracer_ready(PyObject *module); /* events/tracer.c */
int collector_ready(PyObject *module); /* collector.c */
int tampering_ready(PyObject *module); /* tampering.c */
int line_table_ready(PyObject *module); /* flow/line_table.c */
int names_ready(PyObject *module); /* flow/names.c */
/* checks.h has another REF than interpreter.h */
extern PyMethodDef deskcheck_check_methods[];   /* checks/check.c */
extern PyMethodDef deskcheck_packing_methods[]; /* checks/packing.c */

/* Kinds of events that the callback gets: those of pystate.h, and one more. */
#define EVENT_UNWIND 4

static PyObject *missing; /* stands for an empty slot; a module attribute */

/* ------------------------------------------------------------------ frames */

static PyObject *
slot_value(PyObject *value, int is_cell)
{
    if (value != NULL && is_cell && PyCell_Check(value)) {
        value = PyCell_GET(value);
    }
    return Py_NewRef(value == NULL ? missing : value);
}

static PyObject *
read_slots(_PyInterpreterFrame *frame, PyCodeObject *code)
{
    int n = code->co_nlocalsplus;
    const char *kinds = PyBytes_AS_STRING(code->co_localspluskinds);
    PyObject *slots = PyList_New(n);
    if (slots == NULL) {
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        int is_cell = (kinds[i] & (CO_FAST_CELL | CO_FAST_FREE)) != 0;
        PyList_SET_ITEM(slots, i, slot_value(REF(frame->localsplus[i]), is_cell));
    }
    return slots;
}

/* None where the interpreter keeps the stack pointer to itself: the frame is inside a C call. */
static PyObject *
read_stack(_PyInterpreterFrame *frame, PyCodeObject *code)
{
    int base = code->co_nlocalsplus;
    int top = STACK_TOP(frame);
    if (top < base || top > base + code->co_stacksize) {
        Py_RETURN_NONE;
    }
    PyObject *stack = PyList_New(top - base);
    if (stack == NULL) {
        return NULL;
    }
    for (int i = base; i < top; i++) {
        PyList_SET_ITEM(stack, i - base, slot_value(REF(frame->localsplus[i]), 0));
    }
    return stack;
}

static PyObject *
read_frame(PyObject *Py_UNUSED(module), PyObject *argument)
{
    if (!PyFrame_Check(argument)) {
        return PyErr_Format(PyExc_TypeError, "read_frame needs a frame, not %.100s", Py_TYPE(argument)->tp_name);
    }
    _PyInterpreterFrame *frame = ((PyFrameObject *)argument)->f_frame;
    PyCodeObject *code = FRAME_CODE(frame);
    PyObject *slots = read_slots(frame, code);
    if (slots == NULL) {
        return NULL;
    }
    PyObject *stack = read_stack(frame, code);
    if (stack == NULL) {
        Py_DECREF(slots);
        return NULL;
    }
    /* Class bodies and modules keep their names in a dictionary, functions in the slots. */
    PyObject *names = (code->co_flags & CO_OPTIMIZED) ? NULL : frame->f_locals;
    PyObject *result = PyTuple_Pack(3, slots, stack, names == NULL ? Py_None : names);
    Py_DECREF(slots);
    Py_DECREF(stack);
    return result;
}

/* ------------------------------------------------------------------ objects */

static PyObject *
dict_addresses(PyObject *object)
{
    Py_ssize_t n = PyDict_GET_SIZE(object), position = 0, i = 0;
    PyObject *key, *value;
    PyObject *result = PyBytes_FromStringAndSize(NULL, n * 2 * (Py_ssize_t)sizeof(PyObject *));
    if (result == NULL) {
        return NULL;
    }
    PyObject **out = (PyObject **)PyBytes_AS_STRING(result);
    while (i < n && PyDict_Next(object, &position, &key, &value)) {
        out[2 * i] = key;
        out[2 * i + 1] = value;
        i++;
    }
    return result;
}

static PyObject *
set_addresses(PyObject *object)
{
    Py_ssize_t n = PySet_GET_SIZE(object), position = 0, i = 0;
    PyObject *key;
    Py_hash_t hash;
    PyObject *result = PyBytes_FromStringAndSize(NULL, n * (Py_ssize_t)sizeof(PyObject *));
    if (result == NULL) {
        return NULL;
    }
    PyObject **out = (PyObject **)PyBytes_AS_STRING(result);
    while (i < n && _PySet_NextEntry(object, &position, &key, &hash)) {
        out[i++] = key;
    }
    return result;
}

static PyObject *
addresses(PyObject *Py_UNUSED(module), PyObject *object)
{
    if (PyList_Check(object)) {
        PyObject **items = ((PyListObject *)object)->ob_item;
        return PyBytes_FromStringAndSize((char *)items, Py_SIZE(object) * (Py_ssize_t)sizeof(PyObject *));
    }
    if (PyTuple_Check(object)) {
        PyObject **items = ((PyTupleObject *)object)->ob_item;
        return PyBytes_FromStringAndSize((char *)items, Py_SIZE(object) * (Py_ssize_t)sizeof(PyObject *));
    }
    if (PyDict_Check(object)) {
        return dict_addresses(object);
    }
    if (PyAnySet_Check(object)) {
        return set_addresses(object);
    }
    return PyErr_Format(PyExc_TypeError, "addresses needs a list, tuple, dict or set, not %.100s",
                        Py_TYPE(object)->tp_name);
}

static PyObject *
attributes(PyObject *Py_UNUSED(module), PyObject *object)
{
    if (!(Py_TYPE(object)->tp_flags & Py_TPFLAGS_MANAGED_DICT)) { /* none is made: partial() asks whether there is one */
        PyObject **place = _PyObject_GetDictPtr(object);
        return Py_NewRef(place == NULL || *place == NULL ? Py_None : *place);
    }
    PyObject *result = PyObject_GenericGetDict(object, NULL);
    if (result == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    return result;
}

/* ------------------------------------------------------------------ events */

static PyObject *event_numbers[EVENT_UNWIND + 1];

/* Ask a scope about a code object, once: known maps its address to (code, answer), which keeps it alive. */
static int
ask_scope(PyObject *scope, PyObject *known, PyObject *code)
{
    PyObject *address = PyLong_FromVoidPtr(code);
    if (address == NULL) {
        return -1;
    }
    PyObject *entry = PyDict_GetItemWithError(known, address);
    if (entry == NULL && !PyErr_Occurred()) {
        PyThreadState *state = PyThreadState_Get();
        Lent lent = lend(state);
        PyObject *answer = PyObject_CallOneArg(scope, code);
        take_back(state, lent);
        PyObject *fresh = answer == NULL ? NULL : PyTuple_Pack(2, code, answer);
        Py_XDECREF(answer);
        if (fresh != NULL && PyDict_SetItem(known, address, fresh) == 0) {
            entry = fresh; /* the dictionary keeps it */
        }
        Py_XDECREF(fresh);
    }
    Py_DECREF(address);
    return entry == NULL ? -1 : PyTuple_GET_ITEM(entry, 1) != Py_None;
}

/* 1 for code of the program's own, 0 for any other, -1 with an exception set. */
static int
is_own_code(PyObject *self, PyFrameObject *frame)
{
    PyCodeObject *code = PyFrame_GetCode(frame);
    PyObject *own = PyTuple_GET_ITEM(self, 1);
    int answer;
    if (PyUnicode_Check(own)) {
        answer = code->co_filename == own || PyUnicode_Compare(code->co_filename, own) == 0;
    } else {
        answer = ask_scope(own, PyTuple_GET_ITEM(self, 2), (PyObject *)code);
    }
    Py_DECREF(code);
    return answer;
}

static int
on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *argument)
{
    if (what > PyTrace_RETURN) {
        return 0;
    }
    int own = is_own_code(self, frame);
    if (own <= 0) {
        return own;
    }
    if (what == PyTrace_RETURN && argument == NULL) {
        what = EVENT_UNWIND;
    }
    Py_INCREF(self); /* the callback may replace the tracer */
    PyThreadState *state = PyThreadState_Get();
    PyObject *arguments[] = {(PyObject *)frame, event_numbers[what], argument == NULL ? Py_None : argument};
    Lent lent = lend(state);
    PyObject *result = PyObject_Vectorcall(PyTuple_GET_ITEM(self, 0), arguments, 3, NULL);
    take_back(state, lent);
    Py_DECREF(self);
    if (result == NULL) {
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

static PyObject *
start(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *callback, *own;
    if (!PyArg_ParseTuple(arguments, "OO:start", &callback, &own)) {
        return NULL;
    }
    PyObject *known = PyDict_New();
    PyObject *self = known == NULL ? NULL : PyTuple_Pack(3, callback, own, known);
    Py_XDECREF(known);
    if (self == NULL) {
        return NULL;
    }
    PyEval_SetTrace(on_event, self);
    Py_DECREF(self);
    Py_RETURN_NONE;
}

static PyObject *
active(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(PyThreadState_Get()->c_tracefunc == on_event);
}

static PyObject *
stop(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyEval_SetTrace(NULL, NULL);
    Py_RETURN_NONE;
}

/* A program that is stopped inside `with` or `finally` meets the stop again in the clean-up code of that block and
 * never reaches the instruction that takes the handled exception back. */
static PyObject *
set_handled(PyObject *Py_UNUSED(module), PyObject *exception)
{
    PyErr_SetHandledException(exception);
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ module */

/* ------------------------------------------------------------------ depth of recursion */

/* What a call of a function in C, such as those below, takes of the depth that Python frames have. */
#if PY_VERSION_HEX >= 0x030C0000
#define C_CALL 0
#else
#define C_CALL 1
#endif
#define LEAST_LEFT 200 /* of frames, for our own code after the call */

static PyObject *
depth(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    PyThreadState *state = PyThreadState_Get();
    return PyLong_FromLong(DEPTH_LIMIT(state) - DEPTH_LEFT(state) - C_CALL);
}

static PyObject *
at_depth(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n)
{
    if (n < 2) {
        PyErr_SetString(PyExc_TypeError, "at_depth(depth, function, ..)");
        return NULL;
    }
    long wanted = PyLong_AsLong(arguments[0]);
    if (wanted == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyThreadState *state = PyThreadState_Get();
    int limit = Py_GetRecursionLimit(), lent = DEPTH_LIMIT(state) - DEPTH_LEFT(state) - (int)wanted;
    DEPTH_LEFT(state) += lent;
    PyObject *result = PyObject_Vectorcall(arguments[1], arguments + 2, (size_t)n - 2, NULL);
    DEPTH_LEFT(state) -= lent;
    if (DEPTH_LEFT(state) < LEAST_LEFT && Py_GetRecursionLimit() < limit) {
        Py_SetRecursionLimit(limit); /* the program's is too low for us */
    }
    return result;
}

/* The program's own frames are the first of this thread: of ours, it could reach the tracer. In plain Python there are none. */
static PyObject *
unseen(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n)
{
    if (n < 1) {
        PyErr_SetString(PyExc_TypeError, "unseen(function, ..)");
        return NULL;
    }
    PyThreadState *state = PyThreadState_Get();
    _PyInterpreterFrame *frame = CURRENT_FRAME(state);
    CURRENT_FRAME(state) = NULL;
    PyObject *result = PyObject_Vectorcall(arguments[0], arguments + 1, (size_t)n - 1, NULL);
    CURRENT_FRAME(state) = frame;
    return result;
}

/* A hook for exceptions that nobody handles. It is C code, because a Python function would get the exception too. */
static PyObject *
unless_raised(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n)
{
    if (n != 3) {
        PyErr_SetString(PyExc_TypeError, "unless_raised(type, hook, info)");
        return NULL;
    }
    PyObject *type = PyObject_GetAttrString(arguments[2], "exc_type");
    int is_it = type == arguments[0];
    Py_XDECREF(type);
    if (type == NULL) {
        return NULL;
    }
    return is_it ? Py_NewRef(Py_None) : PyObject_CallOneArg(arguments[1], arguments[2]);
}

static PyMethodDef methods[] = {
    {"unless_raised", (PyCFunction)(void (*)(void))unless_raised, METH_FASTCALL,
     "unless_raised(type, hook, info): hook(info), except for an exception of exactly this type"},
    {"depth", depth, METH_NOARGS, "depth() -> depth of recursion of the frame that calls it"},
    {"at_depth", (PyCFunction)(void (*)(void))at_depth, METH_FASTCALL,
     "at_depth(depth, function, ..) -> what the call gives that is made as if by a frame at this depth"},
    {"unseen", (PyCFunction)(void (*)(void))unseen, METH_FASTCALL,
     "unseen(function, ..) -> what the call gives; until it ends, the frames of its callers are in nobody's sight"},
    {"read_frame", read_frame, METH_O, "read_frame(frame) -> (slots, stack or None, namespace or None)"},
    {"addresses", addresses, METH_O, "addresses(container) -> bytes of the pointers it holds"},
    {"attributes", attributes, METH_O, "attributes(object) -> its real dictionary, or None"},
    {"start", start, METH_VARARGS, "start(callback, own): callback(frame, event, argument) for code of its own"},
    {"stop", stop, METH_NOARGS, "stop(): no tracer in this thread"},
    {"active", active, METH_NOARGS, "active() -> is our tracer still the one of this thread"},
    {"set_handled", set_handled, METH_O, "set_handled(exception or None): the exception that this thread handles"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "What Python code cannot see of a frame.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL || PyModule_AddFunctions(module, deskcheck_check_methods) < 0
        || PyModule_AddFunctions(module, deskcheck_packing_methods) < 0) {
        return NULL;
    }
    for (int i = 0; i <= EVENT_UNWIND; i++) {
        event_numbers[i] = PyLong_FromLong(i);
        if (event_numbers[i] == NULL) {
            return NULL;
        }
    }
    missing = PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type);
    if (missing == NULL || tracer_ready(module) < 0 || collector_ready(module) < 0 || tampering_ready(module) < 0 ||
        line_table_ready(module) < 0 || names_ready(module) < 0 || PyModule_AddObjectRef(module, "MISSING", missing) < 0) {
        return NULL;
    }
    return module;
}
