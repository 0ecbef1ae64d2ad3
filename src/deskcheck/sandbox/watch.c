/* What of a child's interpreter must be the same after a program as before it: which objects, and whether.

   Watched: the dictionary of every module, sys.modules and other tables that the zygote names, every class
   that a module names, the code and defaults of our own functions, and a list of probes: callables of the
   interpreter's own, without arguments, whose answer must stay the same.
   On 3.11 a dictionary and a class carry a number that every change renews; from 3.12 on the interpreter
   calls a watcher. So a check looks only into the dictionaries that were touched: what was put in and taken
   out again (a module of the program's own) is no change.
   Not watched: the inside of other objects (caches, default arguments of the standard library's functions),
   and what native code does to memory. */
#include "batch.h"

#include <stdlib.h>

#if PY_VERSION_HEX < 0x030C0000
#define BY_VERSION 1
#define AHEAD 16 /* places that are fetched while one is looked at */
#else
#define BY_VERSION 0
#endif

typedef struct {
    PyObject *object; /* owned: a dict or a class */
    PyObject *copy;   /* owned: a dict's contents as they were, which also keeps them alive; NULL for a class */
    int trip;
} Watched;

/* On 3.11, of each of them: where its number lies and what it was. Apart, because these are read after every
   program, and each from another page. */
typedef struct {
    const void *place;
    uint64_t version : 63, is_class : 1;
} Numbered;

typedef struct {
    PyFunctionObject *function; /* owned */
    PyObject *code, *defaults, *kwdefaults;
} Function;

typedef struct {
    PyObject *call;   /* owned */
    PyObject *answer; /* owned; how it was at the beginning */
} Probe;

static Watched *watched;
static Py_ssize_t n_watched, room_watched;
static Py_ssize_t n_own; /* the first of them are ours */
static Function *functions;
static Py_ssize_t n_functions;
static Probe *probes;
static Py_ssize_t n_probes, n_handlers; /* the last of them ask for signal handlers */

/* ------------------------------------------------------------------ watching */

#if BY_VERSION

static Numbered *numbers;

static uint64_t
version_at(const Numbered *one)
{
    return one->is_class ? *(const unsigned int *)one->place : *(const uint64_t *)one->place;
}

static Numbered
numbered(PyObject *object)
{
    if (PyType_Check(object)) {
        return (Numbered){&((PyTypeObject *)object)->tp_version_tag, ((PyTypeObject *)object)->tp_version_tag, 1};
    }
    return (Numbered){&((PyDictObject *)object)->ma_version_tag, ((PyDictObject *)object)->ma_version_tag, 0};
}

static int
start_watching(PyObject *object)
{
    if (PyType_Check(object) && ((PyTypeObject *)object)->tp_version_tag == 0) {
        /* A class gets its number at the first look-up of an attribute, even of one that it hasn't. */
        PyObject *found = PyObject_GetAttrString(object, "_deskcheck_looks_it_up");
        Py_XDECREF(found);
        PyErr_Clear();
    }
    return 0;
}

#else

#define MAX_TOUCHED 64
static int dict_watcher = -1, type_watcher = -1;
/* What the watchers have reported since the last look. */
static PyObject *touched[MAX_TOUCHED];
static int n_touched, is_class_touched, are_too_many_touched, is_own_touched;

static int
is_own(PyObject *object)
{
    for (Py_ssize_t i = 0; i < n_own; i++) {
        if (watched[i].object == object) {
            return 1;
        }
    }
    return 0;
}

static int
dict_event(PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value)
{
    (void)event;
    (void)key;
    (void)value;
    for (int i = 0; i < n_touched; i++) {
        if (touched[i] == dict) {
            return 0;
        }
    }
    is_own_touched |= is_own(dict);
    if (n_touched < MAX_TOUCHED) {
        touched[n_touched++] = dict;
    }
    else {
        are_too_many_touched = 1;
    }
    return 0;
}

static int
type_event(PyTypeObject *type)
{
    is_own_touched |= is_own((PyObject *)type);
    is_class_touched = 1;
    return 0;
}

static int
start_watching(PyObject *object)
{
    if (dict_watcher < 0) {
        dict_watcher = PyDict_AddWatcher(dict_event);
        type_watcher = PyType_AddWatcher(type_event);
        if (dict_watcher < 0 || type_watcher < 0) {
            return -1;
        }
    }
    if (PyDict_Check(object)) {
        return PyDict_Watch(dict_watcher, object);
    }
    return PyType_Watch(type_watcher, object);
}

#endif

static int
watch(PyObject *object, int trip)
{
    if (n_watched == room_watched) {
        Py_ssize_t room = room_watched ? 2 * room_watched : 1024;
        Watched *grown = realloc(watched, (size_t)room * sizeof(Watched));
        if (grown == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        watched = grown;
#if BY_VERSION
        Numbered *more = realloc(numbers, (size_t)room * sizeof(Numbered));
        if (more == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        numbers = more;
#endif
        room_watched = room;
    }
    PyObject *copy = NULL;
    if (start_watching(object) < 0 || (PyDict_Check(object) && (copy = PyDict_Copy(object)) == NULL)) {
        return -1;
    }
#if BY_VERSION
    numbers[n_watched] = numbered(object);
#endif
    watched[n_watched++] = (Watched){Py_NewRef(object), copy, trip};
    return 0;
}

/* A class that Python code made; those of the interpreter cannot be changed. */
static int
is_open_class(PyObject *object)
{
    return PyType_Check(object) && PyType_HasFeature((PyTypeObject *)object, Py_TPFLAGS_HEAPTYPE)
           && !PyType_HasFeature((PyTypeObject *)object, Py_TPFLAGS_IMMUTABLETYPE);
}

static int
watch_module(PyObject *module, PyObject *classes)
{
    PyObject *names = PyModule_GetDict(module), *key, *value;
    Py_ssize_t at = 0;
    if (watch(names, TRIP_NAMES) < 0) {
        return -1;
    }
    while (PyDict_Next(names, &at, &key, &value)) {
        if (is_open_class(value) && PySet_Add(classes, value) < 0) {
            PyErr_Clear(); /* a metaclass may forbid hashing */
        }
    }
    return 0;
}

/* Each once; what is in both is ours. */
static int
watch_classes(PyObject *classes)
{
    PyObject *found;
    int ok = 0;
    while (ok == 0 && (found = PySet_Pop(classes)) != NULL) {
        ok = watch(found, TRIP_CLASSES);
        Py_DECREF(found);
    }
    if (ok == 0 && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear(); /* that the set is empty */
    }
    return ok;
}

static int
watch_own(PyObject *own, PyObject *classes)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(own); i++) {
        PyObject *object = PyList_GET_ITEM(own, i);
        if (is_open_class(object) ? PySet_Add(classes, object) < 0 : watch(object, TRIP_NAMES) < 0) {
            return -1;
        }
    }
    PyObject *copy = PySet_New(classes);
    int ok = copy == NULL ? -1 : watch_classes(copy);
    Py_XDECREF(copy);
    n_own = n_watched;
    return ok;
}

static int
is_watched_own(PyObject *object)
{
    for (Py_ssize_t i = 0; i < n_own; i++) {
        if (watched[i].object == object) {
            return 1;
        }
    }
    return 0;
}

static int
watch_modules(PyObject *own)
{
    PyObject *all = PyImport_GetModuleDict(), *key, *module, *classes = PySet_New(NULL), *ours = PySet_New(NULL);
    PyObject *list = classes && ours ? PyDict_Copy(all) : NULL;
    Py_ssize_t at = 0;
    int ok = list == NULL || watch_own(own, ours) < 0 ? -1 : watch(all, TRIP_MODULES);
    while (ok == 0 && PyDict_Next(list, &at, &key, &module)) {
        if (PyModule_Check(module) && !is_watched_own(PyModule_GetDict(module))) {
            ok = watch_module(module, classes);
        }
    }
    PyObject *others = ok == 0 ? PyNumber_Subtract(classes, ours) : NULL;
    ok = others == NULL ? -1 : watch_classes(others);
    Py_XDECREF(others);
    Py_XDECREF(list);
    Py_XDECREF(classes);
    Py_XDECREF(ours);
    return ok;
}

int
watch_objects(PyObject *tables, PyObject *function_list, PyObject *own)
{
    if (watch_modules(own) < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tables); i++) {
        if (!PyDict_Check(PyList_GET_ITEM(tables, i))) {
            PyErr_SetString(PyExc_TypeError, "a table is no dict");
            return -1;
        }
        if (watch(PyList_GET_ITEM(tables, i), TRIP_MODULES) < 0) {
            return -1;
        }
    }
    functions = calloc((size_t)PyList_GET_SIZE(function_list) + 1, sizeof(Function));
    if (functions == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(function_list); i++) {
        PyObject *function = PyList_GET_ITEM(function_list, i);
        if (PyFunction_Check(function)) {
            PyFunctionObject *f = (PyFunctionObject *)Py_NewRef(function);
            functions[n_functions++] = (Function){f, f->func_code, f->func_defaults, f->func_kwdefaults};
        }
    }
    return 0;
}

int
watch_probes(PyObject *list, PyObject *handlers)
{
    Py_ssize_t n = PyList_GET_SIZE(list);
    n_handlers = PyList_GET_SIZE(handlers);
    probes = calloc((size_t)(n + n_handlers) + 1, sizeof(Probe));
    if (probes == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (; n_probes < n + n_handlers; n_probes++) {
        PyObject *call = n_probes < n ? PyList_GET_ITEM(list, n_probes) : PyList_GET_ITEM(handlers, n_probes - n);
        probes[n_probes].call = Py_NewRef(call);
    }
    return 0;
}

/* ------------------------------------------------------------------ how it was, and what has changed */

/* What was touched since the last look, each given to `visit`; their answers together. */
static int
each_touched(int (*visit)(Watched *))
{
    int answer = 0;
#if BY_VERSION
    for (Py_ssize_t i = 0; i < n_watched; i++) {
        if (i + AHEAD < n_watched) {
            __builtin_prefetch(numbers[i + AHEAD].place);
        }
        uint64_t now = version_at(&numbers[i]);
        /* 0: a class that had no number yet may have got its first one. */
        if (numbers[i].version != 0 && now != numbers[i].version) {
            answer |= visit(&watched[i]);
            numbers[i].version = now; /* written only then: the page is shared with the zygote */
        }
    }
#else
    for (Py_ssize_t i = 0; i < n_watched && n_touched > 0; i++) {
        for (int k = 0; k < n_touched; k++) {
            if (watched[i].object == touched[k]) {
                answer |= visit(&watched[i]);
            }
        }
    }
    if (is_class_touched || are_too_many_touched) {
        Watched unnamed = {NULL, NULL, is_class_touched ? TRIP_CLASSES : TRIP_NAMES};
        answer |= visit(&unnamed);
    }
    n_touched = is_class_touched = are_too_many_touched = is_own_touched = 0;
#endif
    return answer;
}

/* How it is now is how it has to stay. */
static int
renew(Watched *one)
{
    if (one->copy != NULL) {
        Py_SETREF(one->copy, PyDict_Copy(one->object));
        return one->copy == NULL ? -1 : 0;
    }
    return 0;
}

/* The same entries in the same places: what was put in came behind them, and is gone. Most often it is so. */
static int
is_same_in_order(PyObject *now, PyObject *then)
{
    PyObject *key, *value, *key_now, *value_now;
    Py_ssize_t at = 0, at_now = 0;
    while (PyDict_Next(then, &at, &key, &value)) {
        if (!PyDict_Next(now, &at_now, &key_now, &value_now) || key != key_now || value != value_now) {
            return 0;
        }
    }
    return 1;
}

/* Whether a dictionary has the same names with the same objects as it had; a class that was touched has changed. */
static int
compare(Watched *one)
{
    PyObject *key, *value, *now = one->object;
    Py_ssize_t at = 0;
    if (one->copy == NULL || PyDict_GET_SIZE(now) != PyDict_GET_SIZE(one->copy)) {
        return one->trip;
    }
    if (is_same_in_order(now, one->copy)) {
        return 0;
    }
    while (PyDict_Next(one->copy, &at, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            return one->trip;
        }
        if (PyDict_GetItemWithError(now, key) != value) {
            PyErr_Clear();
            return one->trip;
        }
    }
    return 0;
}

int
watch_renew(void)
{
    return each_touched(renew);
}

int
watch_begin(void)
{
    if (watch_renew() < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < n_probes; i++) {
        Py_XSETREF(probes[i].answer, PyObject_CallNoArgs(probes[i].call));
        if (probes[i].answer == NULL) {
            return -1;
        }
    }
    return 0;
}

/* By identity, else by value among the types whose comparison runs no foreign code. */
static int
is_answer(PyObject *now, PyObject *then)
{
    if (now == then) {
        return 1;
    }
    if (Py_TYPE(now) != Py_TYPE(then)) {
        return 0;
    }
    if (PyTuple_CheckExact(now)) {
        if (PyTuple_GET_SIZE(now) != PyTuple_GET_SIZE(then)) {
            return 0;
        }
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(now); i++) {
            if (!is_answer(PyTuple_GET_ITEM(now, i), PyTuple_GET_ITEM(then, i))) {
                return 0;
            }
        }
        return 1;
    }
    if (PyLong_CheckExact(now) || PyFloat_CheckExact(now) || PyUnicode_CheckExact(now)) {
        return PyObject_RichCompareBool(now, then, Py_EQ) == 1;
    }
    return 0;
}

int
watch_function_changed(void)
{
    for (Py_ssize_t i = 0; i < n_functions; i++) {
        PyFunctionObject *f = functions[i].function;
        if (f->func_code != functions[i].code || f->func_defaults != functions[i].defaults
            || f->func_kwdefaults != functions[i].kwdefaults) {
            return 1;
        }
    }
    return 0;
}

int
watch_own_touched(void)
{
#if BY_VERSION
    for (Py_ssize_t i = 0; i < n_own; i++) {
        if (numbers[i].version != 0 && version_at(&numbers[i]) != numbers[i].version) {
            return 1;
        }
    }
    return 0;
#else
    return is_own_touched;
#endif
}

int
watch_changed(void)
{
    int trip = each_touched(compare);
    for (Py_ssize_t i = 0, n = n_probes - (guard_has_handlers() ? 0 : n_handlers); i < n; i++) {
        PyObject *answer = PyObject_CallNoArgs(probes[i].call);
        if (answer == NULL || !is_answer(answer, probes[i].answer)) {
            PyErr_Clear();
            trip |= TRIP_INTERPRETER;
        }
        Py_XDECREF(answer);
    }
    return trip;
}
