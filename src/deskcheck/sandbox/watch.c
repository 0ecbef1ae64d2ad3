/* What of a child's interpreter must be the same after a program as before it: which objects, and whether.

   Watched: every dictionary and class that can be reached from the loaded modules, the inside of all other
   objects there (contents.c), the code and defaults of our own functions, and a list of probes: callables of
   the interpreter's own, without arguments, whose answer must stay the same.
   On 3.11 a dictionary and a class carry a number that every change renews; from 3.12 on the interpreter
   calls a watcher. So a check looks only into the dictionaries that were touched: what was put in behind the
   others and taken out again (a module of the program's own) is no change.
   Caches that every use fills are put back instead (`watch_restore`).
   Not watched: what native code does to memory. */
#define Py_BUILD_CORE_MODULE 1
#include "batch.h"
#include "internal/pycore_interp.h"

#include <opcode.h>
#include <stdlib.h>
#include <string.h>

#if PY_VERSION_HEX < 0x030C0000
#define BY_VERSION 1
#define AHEAD 16 /* places that are fetched while one is looked at */
#else
#define BY_VERSION 0
#endif

/* What `codecs.register_error` and `codecs.register` add to; Python code does not get at these two. */
#if PY_VERSION_HEX >= 0x030D0000
#define ERROR_HANDLERS(interp) ((interp)->codecs.error_registry)
#define CODEC_SEARCHES(interp) ((interp)->codecs.search_path)
#else
#define ERROR_HANDLERS(interp) ((interp)->codec_error_registry)
#define CODEC_SEARCHES(interp) ((interp)->codec_search_path)
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
static int32_t *places; /* of an object by its address: the number of its entry, 1 the first; 0 = none */
static PyObject *modules; /* borrowed: sys.modules */
static PyObject *caches;   /* owned list: dictionaries that are put back */
static PyObject *ways_in;  /* owned set of names */
static PyObject *emptying; /* owned list: callables that empty a cache in C */
static Py_ssize_t n_own; /* the first of them are ours */
static Py_ssize_t n_near; /* those and the next ones are what the interpreter itself looks into, and modules */
static Py_ssize_t n_with_dicts; /* those and all dictionaries; the rest are classes, whose dictionaries are among them */
static Function *functions;
static Py_ssize_t n_functions;
static Probe *probes;
static Py_ssize_t n_probes, n_handlers; /* the last of them ask for signal handlers */
static Py_ssize_t n_searches;           /* for codecs */

/* ------------------------------------------------------------------ watching */

#define PLACES(n) (2 * (n)) /* a power of two, as the room is */

static int32_t *
place_of(PyObject *object)
{
    size_t mask = (size_t)PLACES(room_watched) - 1, at = ((size_t)object >> 4) * 0x9E3779B97F4A7C15u >> 20 & mask;
    while (places[at] && watched[places[at] - 1].object != object) {
        at = (at + 1) & mask;
    }
    return &places[at];
}

/* The entry of an object; NULL: it is not watched. */
static Watched *
entry_of(PyObject *object)
{
    int32_t place = n_watched ? *place_of(object) : 0;
    return place ? &watched[place - 1] : NULL;
}

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
    Watched *entry = entry_of(object);
    return entry != NULL && entry < watched + n_own;
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
make_room(void)
{
    Py_ssize_t room = room_watched ? 2 * room_watched : 1024;
    Watched *grown = realloc(watched, (size_t)room * sizeof(Watched));
    watched = grown ? grown : watched;
#if BY_VERSION
    Numbered *more = realloc(numbers, (size_t)room * sizeof(Numbered));
    numbers = more ? more : numbers;
    grown = more ? grown : NULL;
#endif
    int32_t *table = grown ? calloc((size_t)PLACES(room), sizeof(int32_t)) : NULL;
    if (table == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    free(places);
    places = table;
    room_watched = room;
    for (Py_ssize_t i = 0; i < n_watched; i++) {
        *place_of(watched[i].object) = (int32_t)i + 1;
    }
    return 0;
}

static int
watch(PyObject *object, int trip)
{
    if ((n_watched == room_watched && make_room() < 0)) {
        return -1;
    }
    if (entry_of(object) != NULL) {
        return 0;
    }
    PyObject *copy = NULL;
    if (start_watching(object) < 0 || (PyDict_Check(object) && (copy = PyDict_Copy(object)) == NULL)) {
        return -1;
    }
#if BY_VERSION
    numbers[n_watched] = numbered(object);
#endif
    watched[n_watched++] = (Watched){Py_NewRef(object), copy, trip};
    *place_of(object) = (int32_t)n_watched;
    return 0;
}

/* A class that Python code made; those of the interpreter cannot be changed. */
static int
is_open_class(PyObject *object)
{
    return PyType_Check(object) && PyType_HasFeature((PyTypeObject *)object, Py_TPFLAGS_HEAPTYPE)
           && !PyType_HasFeature((PyTypeObject *)object, Py_TPFLAGS_IMMUTABLETYPE);
}

int
watch_class(PyObject *object)
{
    if (!is_open_class(object) || watch(object, TRIP_CLASSES) < 0) {
        return is_open_class(object) ? -1 : 0;
    }
#if BY_VERSION
    return n_near ? watch(((PyTypeObject *)object)->tp_dict, TRIP_CLASSES) : 0;
#else
    return 0;
#endif
}

int
watch_dict(PyObject *object)
{
    return watch(object, TRIP_OBJECTS);
}

static int
watch_each(PyObject *list, int trip)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *object = PyList_GET_ITEM(list, i);
        if (!PyDict_Check(object) && !PyType_Check(object)) {
            PyErr_SetString(PyExc_TypeError, "neither a dict nor a class");
            return -1;
        }
        if (PyDict_Check(object) ? watch(object, trip) < 0 : watch_class(object) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
watch_names_of_modules(void)
{
    PyObject *key, *module;
    Py_ssize_t at = 0;
    while (PyDict_Next(modules, &at, &key, &module)) {
        if (PyModule_Check(module) && watch(PyModule_GetDict(module), TRIP_NAMES) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
watch_functions(PyObject *list)
{
    functions = calloc((size_t)PyList_GET_SIZE(list) + 1, sizeof(Function));
    if (functions == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *function = PyList_GET_ITEM(list, i);
        if (PyFunction_Check(function)) {
            PyFunctionObject *f = (PyFunctionObject *)Py_NewRef(function);
            functions[n_functions++] = (Function){f, f->func_code, f->func_defaults, f->func_kwdefaults};
        }
    }
    return 0;
}

int
watch_objects(PyObject *tables, PyObject *function_list, PyObject *own)
{
    PyInterpreterState *interp = PyInterpreterState_Get();
    modules = PyImport_GetModuleDict();
    if (watch_each(own, TRIP_NAMES) < 0) {
        return -1;
    }
    n_own = n_watched;
    n_searches = PyList_GET_SIZE(CODEC_SEARCHES(interp));
    if (watch(modules, TRIP_MODULES) < 0 || watch_each(tables, TRIP_MODULES) < 0 || watch_names_of_modules() < 0
        || watch(ERROR_HANDLERS(interp), TRIP_INTERPRETER) < 0) {
        return -1;
    }
    n_near = n_watched;
    return watch_functions(function_list);
}

/* Names of builtins that are Python objects: with any other, and no import, a program reaches none of the library. */
static int
note_ways_in(void)
{
    PyObject *builtins = PyEval_GetBuiltins(), *name, *value;
    Py_ssize_t at = 0;
    ways_in = PySet_New(NULL);
    while (ways_in != NULL && builtins != NULL && PyDict_Next(builtins, &at, &name, &value)) {
        int is_python = PyType_Check(value) ? PyType_HasFeature((PyTypeObject *)value, Py_TPFLAGS_HEAPTYPE)
                                            : !PyCFunction_Check(value)
                                                  && (PyType_HasFeature(Py_TYPE(value), Py_TPFLAGS_HEAPTYPE)
                                                      || PyFunction_Check(value));
        if (is_python && PySet_Add(ways_in, name) < 0) {
            return -1;
        }
    }
    return ways_in == NULL ? -1 : 0;
}

/* Whether code, or code in it, imports anything, matches a class or names one of these. */
static int
code_reaches_inside(PyCodeObject *code)
{
    const unsigned char *units = (const unsigned char *)code->co_code_adaptive;
    for (Py_ssize_t i = 0; i < Py_SIZE(code); i++) {
        /* Or a number in a cache, which does no harm. A pattern of a class reads attributes by names that the class holds. */
        if (units[2 * i] == IMPORT_NAME || units[2 * i] == MATCH_CLASS) {
            return 1;
        }
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_names); i++) {
        if (PySet_Contains(ways_in, PyTuple_GET_ITEM(code->co_names, i)) != 0) {
            return 1;
        }
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *inner = PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(inner) && code_reaches_inside((PyCodeObject *)inner)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a program may reach the inside of the library's objects. Its own objects and those of the interpreter
   lead there only by an import, by a name that runs it alone (`tracing/collect.py`), or by such a builtin. */
int
watch_reaches_inside(PyObject *prepared)
{
    int has_code = 0;
    for (Py_ssize_t i = 0; ways_in != NULL && PyTuple_Check(prepared) && i < PyTuple_GET_SIZE(prepared); i++) {
        PyObject *part = PyTuple_GET_ITEM(prepared, i);
        if (PyCode_Check(part)) {
            has_code = 1;
            if (code_reaches_inside((PyCodeObject *)part)) {
                return 1;
            }
        }
    }
    return !has_code;
}

/* In the zygote, before `watch_inside`: caches, and callables that empty others. */
int
watch_caches(PyObject *dicts, PyObject *calls)
{
    caches = Py_NewRef(dicts);
    emptying = Py_NewRef(calls);
    return watch_each(dicts, 0);
}

static int
by_address(const void *one, const void *other)
{
    int is_class = PyType_Check(((const Watched *)one)->object), is_other_class = PyType_Check(((const Watched *)other)->object);
    if (is_class != is_other_class) {
        return is_class - is_other_class;
    }
    const char *a = (const char *)((const Watched *)one)->object, *b = (const char *)((const Watched *)other)->object;
    return (a > b) - (a < b);
}

/* Neighbours in memory are looked at one after the other; the near ones stay the first, classes are the last. */
static void
sort_watched(void)
{
    qsort(watched + n_near, (size_t)(n_watched - n_near), sizeof(Watched), by_address);
    memset(places, 0, (size_t)PLACES(room_watched) * sizeof(int32_t));
    n_with_dicts = n_near;
    for (Py_ssize_t i = 0; i < n_watched; i++) {
        *place_of(watched[i].object) = (int32_t)i + 1;
        n_with_dicts += i >= n_near && !PyType_Check(watched[i].object);
#if BY_VERSION
        numbers[i] = numbered(watched[i].object);
#endif
    }
}

int
watch_inside(PyObject *barrier, PyObject *opaque)
{
    PyObject *roots = PyList_New(0);
    int ok = roots == NULL ? -1 : PyList_Append(roots, modules);
    ok = ok == 0 ? watch_renew() : -1; /* of those that the zygote has touched meanwhile the numbers are given anew */
    ok = ok == 0 && note_ways_in() == 0 ? reach_all(roots, barrier, opaque) : -1;
    sort_watched();
    Py_XDECREF(roots);
    return ok;
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

/* What was touched since the last look, of the first `n`, each given to `visit`; their answers together. */
static int
each_touched(int (*visit)(Watched *), Py_ssize_t n)
{
    int answer = 0;
#if BY_VERSION
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
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
    (void)n; /* a watcher is told at once */
    for (int i = 0; i < n_touched; i++) {
        Watched *entry = entry_of(touched[i]);
        answer |= entry ? visit(entry) : 0;
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
    return one->object != NULL ? start_watching(one->object) : 0;
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

/* Whether a dictionary has the same names with the same objects, in the same order; a class that was touched has changed. */
static int
compare(Watched *one)
{
    PyObject *now = one->object;
    if (one->copy == NULL || PyDict_GET_SIZE(now) != PyDict_GET_SIZE(one->copy)) {
        return one->trip;
    }
    return is_same_in_order(now, one->copy) ? 0 : one->trip;
}

/* Caches as they were, before the next program. What dies with them runs its finalizers here. */
void
watch_restore(void)
{
    for (Py_ssize_t i = 0; caches != NULL && i < PyList_GET_SIZE(caches); i++) {
        Watched *entry = entry_of(PyList_GET_ITEM(caches, i));
        PyObject *dict = entry->object, *copy = entry->copy;
#if BY_VERSION
        const Numbered *number = &numbers[entry - watched];
        if (version_at(number) == number->version) {
            continue;
        }
#endif
        if (PyDict_GET_SIZE(dict) != PyDict_GET_SIZE(copy) || !is_same_in_order(dict, copy)) {
            PyDict_Clear(dict);
            PyDict_Update(dict, copy);
        }
    }
    for (Py_ssize_t i = 0; emptying != NULL && i < PyList_GET_SIZE(emptying); i++) {
        Py_XDECREF(PyObject_CallNoArgs(PyList_GET_ITEM(emptying, i)));
    }
    PyErr_Clear();
}

int
watch_renew(void)
{
    contents_renew();
    return each_touched(renew, n_watched);
}

int
watch_begin(int is_single)
{
    if (is_single) {
        setters_forget();
        return each_touched(renew, n_own);
    }
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
    if (PyTuple_Check(now)) {
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
    if (!setters_used()) {
        return 0;
    }
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
watch_changed(int reaches_inside)
{
    /* What changes a class is written to its dictionary, or goes by a setter. */
    Py_ssize_t n = !reaches_inside ? n_near : setters_used() ? n_watched : n_with_dicts;
    int trip = each_touched(compare, n) | (reaches_inside && contents_changed() ? TRIP_OBJECTS : 0);
    if (PyList_GET_SIZE(CODEC_SEARCHES(PyInterpreterState_Get())) != n_searches) {
        trip |= TRIP_INTERPRETER;
    }
    Py_ssize_t n_asked = n_probes - (guard_has_handlers() ? 0 : n_handlers);
    for (Py_ssize_t i = 0; i < n_asked; i++) {
        PyObject *answer = PyObject_CallNoArgs(probes[i].call);
        if (answer == NULL || !is_answer(answer, probes[i].answer)) {
            PyErr_Clear();
            trip |= TRIP_INTERPRETER;
        }
        Py_XDECREF(answer);
    }
    return trip;
}
