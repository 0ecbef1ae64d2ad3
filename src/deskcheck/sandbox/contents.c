/* The inside of the objects that a program can reach, which must be the same after it as before.

   reach_all(roots, barrier, opaque)   in the zygote: walk from the roots, and note every object on the way
   contents_renew()                    how they are now is how they must stay
   contents_changed()                  whether any of them has changed since

   The walk follows what the collector follows (`tp_traverse`), so it finds whatever an object holds, not only
   what has a name. Dictionaries and classes go to watch.c. Of all others the memory is compared:
   - functions: name, code, defaults, text, attributes, annotations;
   - lists and sets: their elements, by identity;
   - objects with a writable buffer (bytearray, array, ctypes): their bytes;
   - deques and ordered dictionaries: their elements in order;
   - every other object: its class, the slot of its dictionary, its `__slots__`, and the fixed part of its
     structure in C, as in cells, properties, partials, decimal contexts, compiled formats, iterators.
   A dictionary of attributes that an object makes at the first look, still empty, is no change.
   What only a setter can change (all of a function, names and bases of a class, the class of an object, the place of
   its dictionary) is read only after a setter was used: setters.c notes that.
   Not looked into: immutable types and the types that child.py names as opaque. */
#include "batch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>
#include <unistd.h>

#define AHEAD 16 /* objects that are fetched while one is compared */
#define FEW_WORDS 8
#define MOST_BYTES 4096 /* of one structure */

typedef struct {
    const uint64_t *place;
    uint32_t n_words, at; /* of its copy */
} Stretch;

/* Functions are thousands, so a sum of their fields is kept instead of a copy, which would be as much memory again
   to read after every program. Its factors are random: no program can find other fields of the same sum. */
#define N_FIELDS 11
typedef struct {
    PyFunctionObject *function; /* owned */
    uint64_t sum;
} Fields;
static uint64_t factors[N_FIELDS];

typedef struct {
    PyObject *object; /* owned */
    char *copy;       /* owned: the elements of a list, the table of a set, the bytes of a buffer */
    Py_ssize_t n;     /* elements, or bytes */
    PyObject *tuple;  /* owned: elements in order, of anything else */
} Elements;

typedef struct {
    void *items;
    Py_ssize_t n, room;
} Array;

static Array stretches, fields, elements;
static Array by_setter; /* stretches that only a setter can change */
static uint64_t *copies;
static size_t n_copies, room_copies; /* words */
static char *elements_copies; /* those of `elements` in one piece, in the order in which they are compared */
static size_t n_elements_copies; /* bytes */

static void *
grown(Array *array, size_t size)
{
    if (array->n == array->room) {
        Py_ssize_t room = array->room ? 2 * array->room : 256;
        void *items = realloc(array->items, (size_t)room * size);
        if (items == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        array->items = items;
        array->room = room;
    }
    return (char *)array->items + (size_t)array->n++ * size;
}

/* ------------------------------------------------------------------ noting an object */

static int
add_stretch_to(Array *array, const void *place, size_t n_bytes)
{
    size_t n_words = n_bytes / sizeof(uint64_t); /* structures end with a whole word, or with what C fills up */
    if (n_words == 0) {
        return 0;
    }
    if (n_copies + n_words > room_copies) {
        size_t room = 2 * room_copies + n_words + 4096;
        uint64_t *more = realloc(copies, room * sizeof(uint64_t));
        if (more == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        copies = more;
        room_copies = room;
    }
    Stretch *new = grown(array, sizeof(Stretch));
    if (new == NULL) {
        return -1;
    }
    *new = (Stretch){place, (uint32_t)n_words, (uint32_t)n_copies};
    memcpy(copies + n_copies, place, n_words * sizeof(uint64_t));
    n_copies += n_words;
    return 0;
}

static int
add_stretch(const void *place, size_t n_bytes)
{
    return add_stretch_to(&stretches, place, n_bytes);
}

static inline uint64_t
sum_of(const PyFunctionObject *f, const PyObject *dict, const PyObject *annotations)
{
    uint64_t sum = (uint64_t)f->func_name * factors[0] + (uint64_t)f->func_qualname * factors[1]
                   + (uint64_t)f->func_code * factors[2] + (uint64_t)f->func_defaults * factors[3]
                   + (uint64_t)f->func_kwdefaults * factors[4] + (uint64_t)f->func_closure * factors[5]
                   + (uint64_t)f->func_doc * factors[6] + (uint64_t)f->func_module * factors[7]
                   + (uint64_t)dict * factors[8] + (uint64_t)annotations * factors[9];
#if PY_VERSION_HEX >= 0x030C0000
    sum += (uint64_t)f->func_typeparams * factors[10];
#endif
    return sum;
}

static int
add_function(PyObject *object)
{
    PyFunctionObject *function = (PyFunctionObject *)object;
    Fields *new = grown(&fields, sizeof(Fields));
    if (new == NULL) {
        return -1;
    }
    if (factors[0] == 0) {
        if (getentropy(factors, sizeof factors) < 0) {
            return -1;
        }
        for (int i = 0; i < N_FIELDS; i++) {
            factors[i] |= 1;
        }
    }
    if (function->func_annotations != NULL) { /* a tuple becomes a dictionary when it is first asked for */
        if (PyFunction_GetAnnotations(object) == NULL) {
            PyErr_Clear();
        }
    }
    new->function = (PyFunctionObject *)Py_NewRef(object);
    new->sum = sum_of(function, function->func_dict, function->func_annotations);
    return 0;
}

static int
is_ordered(PyObject *object)
{
    return PyODict_Check(object) || strcmp(Py_TYPE(object)->tp_name, "collections.deque") == 0;
}

/* What an object's elements are now, into `now`. 0, or -1 without an exception. */
static int
take_elements(PyObject *object, Elements *now)
{
    Py_buffer buffer;
    *now = (Elements){object, NULL, 0, NULL};
    if (PyList_Check(object)) {
        now->n = PyList_GET_SIZE(object);
        now->copy = malloc((size_t)now->n * sizeof(PyObject *) + 1);
        if (now->copy != NULL && now->n) {
            memcpy(now->copy, ((PyListObject *)object)->ob_item, (size_t)now->n * sizeof(PyObject *));
        }
        return now->copy ? 0 : -1;
    }
    if (PyAnySet_Check(object)) {
        now->n = ((PySetObject *)object)->mask + 1;
        now->copy = malloc((size_t)now->n * sizeof(setentry));
        if (now->copy != NULL) {
            memcpy(now->copy, ((PySetObject *)object)->table, (size_t)now->n * sizeof(setentry));
        }
        return now->copy ? 0 : -1;
    }
    if (is_ordered(object)) {
        now->tuple = PySequence_Tuple(object);
    }
    else if (PyObject_GetBuffer(object, &buffer, PyBUF_SIMPLE) == 0) {
        now->n = buffer.len;
        now->copy = malloc((size_t)buffer.len + 1);
        if (now->copy != NULL) {
            memcpy(now->copy, buffer.buf, (size_t)buffer.len);
        }
        PyBuffer_Release(&buffer);
    }
    PyErr_Clear();
    return now->copy || now->tuple ? 0 : -1;
}

#define ROUNDED(n) (((n) + 7) & ~(size_t)7)

/* The length of a copy. */
static size_t
bytes_of(const Elements *e)
{
    size_t size = PyList_Check(e->object) ? sizeof(PyObject *) : PyAnySet_Check(e->object) ? sizeof(setentry) : 1;
    return (size_t)e->n * size;
}

static void
free_copy(Elements *e)
{
    if (e->copy < elements_copies || e->copy >= elements_copies + n_elements_copies) {
        free(e->copy);
    }
}

static int
add_elements(PyObject *object)
{
    Elements now, *new;
    if (take_elements(object, &now) < 0) {
        return 0; /* a buffer of an odd shape */
    }
    new = grown(&elements, sizeof(Elements));
    if (new == NULL) {
        return -1;
    }
    *new = now;
    Py_INCREF(object);
    return 0;
}

static int
has_writable_buffer(PyObject *object)
{
    Py_buffer buffer;
    if (!PyObject_CheckBuffer(object)) {
        return 0;
    }
    if (PyObject_GetBuffer(object, &buffer, PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        return 0;
    }
    PyBuffer_Release(&buffer);
    return 1;
}

/* The class in C that fixes the first part of an object's structure. */
static PyTypeObject *
native_base(PyObject *object)
{
    static destructor of_python_classes;
    if (of_python_classes == NULL) {
        PyObject *class = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Made");
        if (class == NULL) {
            return NULL;
        }
        of_python_classes = ((PyTypeObject *)class)->tp_dealloc;
        Py_DECREF(class);
    }
    PyTypeObject *base = Py_TYPE(object);
    while (base->tp_dealloc == of_python_classes && base->tp_base != NULL) {
        base = base->tp_base;
    }
    return base;
}

static int
is_immutable(PyTypeObject *type)
{
    PyTypeObject *const all[] = {
        &PyUnicode_Type, &PyBytes_Type, &PyLong_Type, &PyFloat_Type, &PyComplex_Type, &PyBool_Type, &PyTuple_Type,
        &PyFrozenSet_Type, &PyCode_Type, &PyRange_Type, &PySlice_Type, &PyEllipsis_Type, &PyMemberDescr_Type,
        &PyGetSetDescr_Type, &PyMethodDescr_Type, &PyClassMethodDescr_Type, &PyWrapperDescr_Type, Py_TYPE(Py_None),
        Py_TYPE(Py_NotImplemented),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (type == all[i]) {
            return 1;
        }
    }
    return 0;
}

/* Neighbours in memory are compared one after the other. Each entry begins with the address of its object. */
static int
by_address(const void *one, const void *other)
{
    const char *a = *(const char *const *)one, *b = *(const char *const *)other;
    return (a > b) - (a < b);
}

/* Stretches in the order of their places and their copies too, those of neighbours as one. From `at` on in `sorted`. */
static size_t
sort_stretches(Array *array, uint64_t *sorted, size_t at)
{
    qsort(array->items, (size_t)array->n, sizeof(Stretch), by_address);
    Stretch *s = array->items;
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; sorted != NULL && i < array->n; i++) {
        memcpy(sorted + at, copies + s[i].at, s[i].n_words * sizeof(uint64_t));
        if (n && s[n - 1].place + s[n - 1].n_words == s[i].place) {
            s[n - 1].n_words += s[i].n_words;
        }
        else {
            s[n++] = (Stretch){s[i].place, s[i].n_words, (uint32_t)at};
        }
        at += s[i].n_words;
    }
    array->n = sorted != NULL ? n : array->n;
    return at;
}

/* The copies one behind the other: read in this order, they cost next to nothing. */
static void
join_elements(void)
{
    Elements *e = elements.items;
    size_t n = 0;
    for (Py_ssize_t i = 0; i < elements.n; i++) {
        n += e[i].copy != NULL ? ROUNDED(bytes_of(&e[i])) : 0;
    }
    elements_copies = malloc(n + 1);
    if (elements_copies == NULL) {
        return;
    }
    for (Py_ssize_t i = 0; i < elements.n; i++) {
        if (e[i].copy != NULL) {
            char *to = elements_copies + n_elements_copies;
            memcpy(to, e[i].copy, bytes_of(&e[i]));
            n_elements_copies += ROUNDED(bytes_of(&e[i]));
            free(e[i].copy);
            e[i].copy = to;
        }
    }
}

static void
sort_all(void)
{
    qsort(fields.items, (size_t)fields.n, sizeof(Fields), by_address);
    qsort(elements.items, (size_t)elements.n, sizeof(Elements), by_address);
    join_elements();
    uint64_t *sorted = malloc(n_copies * sizeof(uint64_t) + 1);
    sort_stretches(&by_setter, sorted, sort_stretches(&stretches, sorted, 0));
    if (sorted != NULL) {
        free(copies);
        copies = sorted;
    }
}

/* The structure in C, without the places of its dictionary and of its weak references. */
static int
add_structure(PyObject *object, PyTypeObject *base)
{
    Py_ssize_t size = base->tp_basicsize < MOST_BYTES ? base->tp_basicsize : MOST_BYTES;
    Py_ssize_t gaps[2] = {base->tp_dictoffset, base->tp_weaklistoffset}, from = offsetof(PyObject, ob_type);
    if (gaps[0] > gaps[1]) {
        Py_ssize_t first = gaps[1];
        gaps[1] = gaps[0];
        gaps[0] = first;
    }
    for (int i = 0; i < 2; i++) {
        if (gaps[i] >= from && gaps[i] < size) {
            if (add_stretch((char *)object + from, (size_t)(gaps[i] - from)) < 0) {
                return -1;
            }
            from = gaps[i] + (Py_ssize_t)sizeof(PyObject *);
        }
    }
    /* Where there is no more than the class, only a setter changes it. */
    return add_stretch_to(size == (Py_ssize_t)sizeof(PyObject) ? &by_setter : &stretches, (char *)object + from,
                          (size_t)(size - from));
}

/* Slots of classes in Python. */
static int
add_slots(PyObject *object)
{
    PyObject *classes = Py_TYPE(object)->tp_mro, *name, *value;
    for (Py_ssize_t i = 0; classes != NULL && i < PyTuple_GET_SIZE(classes); i++) {
        PyTypeObject *class = (PyTypeObject *)PyTuple_GET_ITEM(classes, i);
        Py_ssize_t at = 0;
        if (!PyType_HasFeature(class, Py_TPFLAGS_HEAPTYPE)) {
            continue;
        }
        while (PyDict_Next(class->tp_dict, &at, &name, &value)) {
            PyMemberDef *member = Py_IS_TYPE(value, &PyMemberDescr_Type) ? ((PyMemberDescrObject *)value)->d_member : NULL;
            if (member != NULL && (member->type == T_OBJECT_EX || member->type == T_OBJECT)
                && add_stretch((char *)object + member->offset, sizeof(PyObject *)) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* The place of its dictionary, which is made now; `dict` is that one, borrowed. Of a class in Python without such a
   place in C only a setter changes it. */
static int
add_attributes(PyObject *object, PyTypeObject *base, PyObject **dict)
{
    *dict = NULL;
#if PY_VERSION_HEX >= 0x030B0000
    if (Py_TYPE(object)->tp_dictoffset == 0 && !PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_MANAGED_DICT)) {
        return 0;
    }
#endif
    PyObject *made = PyObject_GenericGetDict(object, NULL);
    Py_XDECREF(made);
    PyObject **place = made ? _PyObject_GetDictPtr(object) : NULL;
    PyErr_Clear();
    if (place == NULL || *place == NULL) {
        return 0;
    }
    *dict = *place;
    return add_stretch_to(Py_TYPE(object) != base && base->tp_dictoffset == 0 ? &by_setter : &stretches, place, sizeof *place);
}

/* ------------------------------------------------------------------ the walk */

static struct {
    PyObject **objects; /* owned; those that are still to be noted lie at the end */
    Py_ssize_t n, room, *table, n_table;
    int failed;
} walk;

static Py_ssize_t *
place_of(PyObject *object)
{
    size_t mask = (size_t)walk.n_table - 1, at = ((size_t)object >> 4) * 0x9E3779B97F4A7C15u >> 20 & mask;
    while (walk.table[at] && walk.objects[walk.table[at] - 1] != object) {
        at = (at + 1) & mask;
    }
    return &walk.table[at];
}

static int
make_room(void)
{
    Py_ssize_t room = walk.room ? 2 * walk.room : 1 << 16;
    PyObject **objects = realloc(walk.objects, (size_t)room * sizeof(PyObject *));
    Py_ssize_t *table = calloc((size_t)room * 2, sizeof(Py_ssize_t));
    walk.objects = objects ? objects : walk.objects;
    if (objects == NULL || table == NULL) {
        free(table);
        return -1;
    }
    free(walk.table);
    walk.table = table;
    walk.n_table = 2 * room;
    walk.room = room;
    for (Py_ssize_t i = 0; i < walk.n; i++) {
        *place_of(walk.objects[i]) = i + 1;
    }
    return 0;
}

static int
reach(PyObject *object, void *unused)
{
    (void)unused;
    if (object == NULL || walk.failed || (walk.n == walk.room && (walk.failed = make_room()) < 0)) {
        return 0;
    }
    Py_ssize_t *place = place_of(object);
    if (*place == 0) {
        walk.objects[walk.n++] = Py_NewRef(object);
        *place = walk.n;
    }
    return 0;
}

static int
is_one_of(PyTypeObject *type, PyObject *types)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(types); i++) {
        if (PyTuple_GET_ITEM(types, i) == (PyObject *)type) {
            return 1;
        }
    }
    return 0;
}

/* Whether an object is ours: `n_ours` is the number of those that the walk began with, which it does not enter. */
static int
is_ours(PyObject *object, Py_ssize_t n_ours)
{
    PyObject *by = PyFunction_Check(object) ? ((PyFunctionObject *)object)->func_globals : (PyObject *)Py_TYPE(object);
    Py_ssize_t place = *place_of(by);
    return place > 0 && place <= n_ours;
}

/* From 3.13 on an object and its dictionary share values that lie in the object, and what changes them by the
   object tells no watcher of the dictionary. */
static int
add_inline_values(PyDictObject *dict)
{
#if PY_VERSION_HEX >= 0x030D0000
    const struct { uint8_t capacity, size, embedded, valid; } *values = (const void *)dict->ma_values;
    if (values != NULL && values->embedded) {
        return add_stretch(values, (1 + (size_t)values->capacity) * sizeof(PyObject *));
    }
#else
    (void)dict;
#endif
    return 0;
}

static PyObject *
names_of_class(PyTypeObject *class)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyType_GetDict(class);
#else
    return Py_XNewRef(class->tp_dict);
#endif
}

static int
note(PyObject *object, PyObject *opaque)
{
    PyObject *dict = NULL;
    PyTypeObject *base;
    int is_closed = is_one_of(Py_TYPE(object), opaque), ok = 0;
    if (PyDict_Check(object)) {
        ok = watch_dict(object) < 0 || add_inline_values((PyDictObject *)object) < 0 ? -1 : 0;
        if (ok == 0 && PyODict_Check(object)) {
            ok = add_elements(object);
        }
    }
    else if (PyType_Check(object)) {
        if (PyType_HasFeature((PyTypeObject *)object, Py_TPFLAGS_HEAPTYPE)) {
            PyHeapTypeObject *class = (PyHeapTypeObject *)object;
            ok = watch_class(object) < 0 ? -1 : add_stretch_to(&by_setter, &class->ht_name, 3 * sizeof(PyObject *));
            if (ok == 0 && Py_TYPE(object) != &PyType_Type) {
                ok = add_stretch_to(&by_setter, &object->ob_type, sizeof object->ob_type);
            }
        }
        else if (Py_TYPE(object) != &PyType_Type) { /* its metaclass may let its attributes be set, as in ctypes */
            PyObject *names = names_of_class((PyTypeObject *)object);
            ok = names == NULL ? 0 : watch_dict(names);
            Py_XDECREF(names);
        }
    }
    else if (PyFunction_Check(object)) {
        ok = add_function(object);
    }
    else if ((base = native_base(object)) == NULL) {
        ok = -1;
    }
    else {
        is_closed |= is_one_of(base, opaque);
        ok = add_attributes(object, base, &dict);
        if (ok == 0 && dict != NULL) {
            reach(dict, NULL);
        }
        if (ok == 0 && Py_TYPE(object) != base) {
            ok = add_slots(object);
        }
        if (ok == 0 && !is_closed) {
            if (PyList_Check(object) || PySet_Check(object) || is_ordered(object) || has_writable_buffer(object)) {
                ok = add_elements(object);
            }
            else if (PyCFunction_CheckExact(object)) {
                ok = add_stretch_to(&by_setter, &((PyCFunctionObject *)object)->m_module, sizeof(PyObject *));
            }
            else if (!is_immutable(base)) {
                ok = add_structure(object, base);
            }
        }
    }
    if (ok == 0 && !is_closed && PyObject_IS_GC(object) && Py_TYPE(object)->tp_traverse != NULL) {
        Py_TYPE(object)->tp_traverse(object, reach, NULL);
    }
    return ok;
}

int
reach_all(PyObject *roots, PyObject *barrier, PyObject *opaque)
{
    int ok = make_room();
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(barrier); i++) {
        reach(PyList_GET_ITEM(barrier, i), NULL);
    }
    Py_ssize_t n_ours = walk.n;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(roots); i++) {
        reach(PyList_GET_ITEM(roots, i), NULL);
    }
    for (Py_ssize_t i = n_ours; ok == 0 && walk.failed == 0 && i < walk.n; i++) {
        ok = is_ours(walk.objects[i], n_ours) ? 0 : note(walk.objects[i], opaque);
    }
    if (walk.failed) {
        PyErr_NoMemory();
    }
    sort_all();
    ok = setters_note() < 0 ? -1 : ok;
    free(walk.table); /* the references stay: no address may come again while a child compares it */
    walk.table = NULL;
    return walk.failed ? -1 : ok;
}

/* ------------------------------------------------------------------ how it was, and what has changed */

/* A call of memcmp costs more than the few words that most of them are. */
static inline int
are_same_words(const void *now, const void *then, Py_ssize_t n)
{
    const uint64_t *a = now, *b = then;
    uint64_t differs = 0;
    if (n > FEW_WORDS) {
        return memcmp(now, then, (size_t)n * sizeof(uint64_t)) == 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        differs |= a[i] ^ b[i];
    }
    return differs == 0;
}

/* Rarely: of the fields those of attributes and annotations may have got an empty dictionary. */
static int
is_same_function(const Fields *then)
{
    const PyFunctionObject *f = then->function;
    const PyObject *dicts[] = {f->func_dict, f->func_annotations};
    for (int i = 0; i < 2; i++) {
        if (dicts[i] != NULL && PyDict_CheckExact(dicts[i]) && PyDict_GET_SIZE(dicts[i]) == 0) {
            dicts[i] = NULL;
        }
    }
    return sum_of(f, dicts[0], dicts[1]) == then->sum || sum_of(f, dicts[0], f->func_annotations) == then->sum
           || sum_of(f, f->func_dict, dicts[1]) == then->sum;
}

/* The same keys in the same places; what was put in and taken out again leaves a mark without a hash. */
static int
is_same_set(PySetObject *now, const Elements *then)
{
    const setentry *entries = (const setentry *)then->copy;
    Py_ssize_t n = 0;
    if (now->mask + 1 != then->n) {
        return 0;
    }
    if (are_same_words(now->table, entries, then->n * (Py_ssize_t)(sizeof(setentry) / sizeof(uint64_t)))) {
        return 1;
    }
    for (Py_ssize_t i = 0; i < then->n; i++) {
        if (entries[i].key != NULL && entries[i].hash != -1) {
            n++;
            if (now->table[i].key != entries[i].key) {
                return 0;
            }
        }
    }
    return now->used == n;
}

static int
is_same_in_order(PyObject *now, PyObject *then)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(then); i++) {
        if (PyTuple_GET_SIZE(now) != PyTuple_GET_SIZE(then) || PyTuple_GET_ITEM(now, i) != PyTuple_GET_ITEM(then, i)) {
            return 0;
        }
    }
    return PyTuple_GET_SIZE(now) == PyTuple_GET_SIZE(then);
}

static int
are_same_elements(const Elements *then)
{
    Elements now;
    int same;
    if (PyList_Check(then->object)) {
        return PyList_GET_SIZE(then->object) == then->n
               && are_same_words(((PyListObject *)then->object)->ob_item, then->copy, then->n);
    }
    if (PyAnySet_Check(then->object)) {
        return is_same_set((PySetObject *)then->object, then);
    }
    if (take_elements(then->object, &now) < 0) {
        return 0;
    }
    same = now.tuple != NULL ? then->tuple != NULL && is_same_in_order(now.tuple, then->tuple)
                             : now.n == then->n && memcmp(now.copy, then->copy, (size_t)now.n) == 0;
    free(now.copy);
    Py_XDECREF(now.tuple);
    return same;
}

static Py_ssize_t
each_changed_function(void (*found)(Stretch *, Fields *, Elements *))
{
    Py_ssize_t n = 0;
    Fields *f = fields.items;
    for (Py_ssize_t i = 0; i < fields.n; i++) {
        const PyFunctionObject *now = f[i].function;
        if (i + AHEAD < fields.n) {
            const char *next = (const char *)f[i + AHEAD].function;
            __builtin_prefetch(next + offsetof(PyFunctionObject, func_name));
            __builtin_prefetch(next + offsetof(PyFunctionObject, func_annotations));
        }
        if (sum_of(now, now->func_dict, now->func_annotations) != f[i].sum && !is_same_function(&f[i])) {
            n++;
            found(NULL, &f[i], NULL);
        }
    }
    return n;
}

static Py_ssize_t
each_changed_stretch(const Array *array, void (*found)(Stretch *, Fields *, Elements *))
{
    Py_ssize_t n = 0;
    Stretch *s = array->items;
    for (Py_ssize_t i = 0; i < array->n; i++) {
        if (i + AHEAD < array->n) {
            __builtin_prefetch(s[i + AHEAD].place);
        }
        if (!are_same_words(s[i].place, copies + s[i].at, s[i].n_words)) {
            n++;
            found(&s[i], NULL, NULL);
        }
    }
    return n;
}

/* Where a list or a set has its elements; of anything else nothing is fetched. */
static const void *
place_of_elements(PyObject *object)
{
    return PyList_Check(object) ? (const void *)((PyListObject *)object)->ob_item
           : PyAnySet_Check(object) ? (const void *)((PySetObject *)object)->table : NULL;
}

/* Every entry that has changed is given to `found`; how many they are. What only a setter changes is read if `is_whole`. */
static Py_ssize_t
each_changed(int is_whole, void (*found)(Stretch *, Fields *, Elements *))
{
    Elements *e = elements.items;
    Py_ssize_t n = each_changed_stretch(&stretches, found);
    n += is_whole ? each_changed_function(found) + each_changed_stretch(&by_setter, found) : 0;
    for (Py_ssize_t i = 0; i < elements.n; i++) {
        if (i + AHEAD < elements.n) {
            __builtin_prefetch(&((PyListObject *)e[i + AHEAD].object)->ob_item);
        }
        if (i + AHEAD / 2 < elements.n) {
            __builtin_prefetch(place_of_elements(e[i + AHEAD / 2].object));
        }
        if (!are_same_elements(&e[i])) {
            n++;
            found(NULL, NULL, &e[i]);
        }
    }
    return n;
}

static void
ignore(Stretch *stretch, Fields *function, Elements *elements_of)
{
    (void)stretch;
    (void)function;
    (void)elements_of;
}

static void
take_again(Stretch *stretch, Fields *function, Elements *elements_of)
{
    Elements now;
    if (stretch != NULL) {
        memcpy(copies + stretch->at, stretch->place, stretch->n_words * sizeof(uint64_t));
    }
    else if (function != NULL) {
        const PyFunctionObject *now = function->function;
        function->sum = sum_of(now, now->func_dict, now->func_annotations);
    }
    else if (take_elements(elements_of->object, &now) == 0) {
        free_copy(elements_of);
        Py_XDECREF(elements_of->tuple);
        *elements_of = now;
    }
}

void
contents_renew(void)
{
    each_changed(1, take_again);
    setters_forget();
}

int
contents_changed(void)
{
    int is_changed = each_changed(setters_used(), ignore) > 0;
    if (!is_changed) {
        setters_forget();
    }
    return is_changed;
}
