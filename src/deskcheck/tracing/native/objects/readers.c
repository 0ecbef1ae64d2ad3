/* List an object's attributes without its help: names and values into the heap's scratch arrays.
 *
 *   read_attributes(t, entry, value)      t->heap.names / items / n_pairs; numbers are TAGGED
 *
 * Instances are read from their inline values or their dictionary (which is never made for that), slots by
 * their offset, iterators from their C structs. These structs are not in any header; a test compares what is
 * read here with each iterator's own __reduce__.
 */
#include "objects.h"

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *source, *result, *long_index;
} EnumerateIterator;

typedef struct {
    PyObject_HEAD
    Py_ssize_t n;
    PyObject *sources, *result;
} ZipIterator;

typedef struct {
    PyObject_HEAD
    PyObject *sources, *function;
} MapIterator;

typedef struct {
    PyObject_HEAD
    PyObject *source;
    Py_ssize_t used, position;
    PyObject *result;
    Py_ssize_t rest;
} DictIterator;

typedef struct {
    PyObject_HEAD
    PyObject *source;
    Py_ssize_t used, position, rest;
} SetIterator;

typedef struct {
    PyObject_HEAD
    PyObject *start, *stop, *step, *length;
} RangeObject;

static struct {
    PyObject *start, *stop, *step;
    PyObject *source, *position, *function, *order, *self, *args, *cause, *context, *factory, *module, *frame, *summary;
    PyObject *numbered[8];
} N;

int
add_pair(Tracer *t, PyObject *name, PyObject *item)
{
    Heap *heap = &t->heap;
    if (UNLIKELY(heap->n_pairs == heap->cap_pairs)) {
        Py_ssize_t cap = heap->cap_pairs * 2 + 16;
        PyObject **names = grown(heap->names, cap, sizeof(PyObject *));
        if (names != NULL) {
            heap->names = names;
        }
        PyObject **items = names == NULL ? NULL : grown(heap->items, cap, sizeof(PyObject *));
        if (items == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        heap->items = items;
        heap->cap_pairs = cap;
    }
    heap->names[heap->n_pairs] = name;
    heap->items[heap->n_pairs++] = item;
    return 0;
}

/* ------------------------------------------------------------------ instances */

/* The text of a key that is an instance of a class extending str, as a look-up by name finds it, borrowed: a member of an
 * enumeration. NULL: it is not found so, or, with an exception, there is no memory. */
static PyObject *
text_of_key(Tracer *t, PyObject *key)
{
    PyTypeObject *type = Py_TYPE(key);
    if (!PyUnicode_Check(key) || type->tp_hash != PyUnicode_Type.tp_hash || type->tp_richcompare != PyUnicode_Type.tp_richcompare) {
        return NULL;
    }
    PyObject *text = PyUnicode_FromObject(key);
    if (text == NULL || (t->heap.kept == NULL && (t->heap.kept = PyList_New(0)) == NULL)) {
        Py_XDECREF(text);
        return NULL;
    }
    PyUnicode_InternInPlace(&text); /* the same object each time, as long as it is remembered */
    int result = PyList_Append(t->heap.kept, text);
    Py_DECREF(text);
    return result < 0 ? NULL : text;
}

/* A slot of this name hides what the dictionary has. */
static int
is_slot(const Shape *shape, PyObject *name)
{
    for (int i = 0; i < shape->n_members; i++) {
        if (PyUnicode_Compare(shape->members[i].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int
add_dict(Tracer *t, const Shape *shape, PyObject *dict)
{
    PyObject *name, *item;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &name, &item)) {
        if (UNLIKELY(!PyUnicode_CheckExact(name)) && (name = text_of_key(t, name)) == NULL) {
            if (PyErr_Occurred()) {
                return -1;
            }
            continue;
        }
        if (UNLIKELY(shape->n_members) && is_slot(shape, name)) {
            continue;
        }
        if (add_pair(t, name, item) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
add_inline(Tracer *t, const Shape *shape, PyDictValues *values)
{
    PyDictUnicodeEntry *entries = DK_UNICODE_ENTRIES(((PyHeapTypeObject *)shape->type)->ht_cached_keys);
#if PY_VERSION_HEX >= 0x030D0000
    uint8_t *order = get_insertion_order_array(values);
    for (int i = 0; i < values->size; i++) {
        int at = order[i];
#else
    int n = ((uint8_t *)values)[-2];
    for (int i = 0; i < n; i++) {
        int at = ((uint8_t *)values)[-3 - i];
#endif
        if (values->values[at] != NULL && !(UNLIKELY(shape->n_members) && is_slot(shape, entries[at].me_key)) && add_pair(t, entries[at].me_key, values->values[at]) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The dictionary of an object's attributes, borrowed; NULL: it has none so far. None is made. */
static PyObject *
dict_of_object(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
#if PY_VERSION_HEX >= 0x030D0000
        return (PyObject *)_PyObject_GetManagedDict(object);
#elif PY_VERSION_HEX >= 0x030C0000
        PyDictOrValues either = *_PyObject_DictOrValuesPointer(object);
        return _PyDictOrValues_IsValues(either) ? NULL : _PyDictOrValues_GetDict(either);
#else
        return *_PyObject_ValuesPointer(object) != NULL ? NULL : *_PyObject_ManagedDictPointer(object);
#endif
    }
    PyObject **place = type->tp_dictoffset == 0 ? NULL : _PyObject_GetDictPtr(object);
    return place == NULL ? NULL : *place;
}

static int
read_own(Tracer *t, const Shape *shape, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    PyObject *dict = dict_of_object(value);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
#if PY_VERSION_HEX >= 0x030D0000
        if (type->tp_flags & Py_TPFLAGS_INLINE_VALUES && _PyObject_InlineValues(value)->valid) {
            t->is_brute |= dict != NULL && Py_REFCNT(dict) > 1; /* its dictionary writes the same values */
            return add_inline(t, shape, _PyObject_InlineValues(value));
        }
#elif PY_VERSION_HEX >= 0x030C0000
        PyDictOrValues either = *_PyObject_DictOrValuesPointer(value);
        if (_PyDictOrValues_IsValues(either)) {
            return add_inline(t, shape, _PyDictOrValues_GetValues(either));
        }
#else
        PyDictValues *values = *_PyObject_ValuesPointer(value);
        if (values != NULL) {
            return add_inline(t, shape, values);
        }
#endif
    }
    if (dict == NULL || !PyDict_Check(dict)) {
        return 0;
    }
    t->has_plain_dicts |= PyDict_CheckExact(dict) && ((PyDictObject *)dict)->ma_values == NULL;
    t->is_brute |= Py_REFCNT(dict) > 1; /* somebody has it: it may change without the instance */
    return add_dict(t, shape, dict);
}

/* Whether what is stored in a dictionary, which a program has got at, changes another object or names: it holds an object's
 * attributes, or the names of a class's body, or at the granularity of instructions those of a module. An object's looks
 * different from others, at least until it has grown. */
int
read_is_of_another(Tracer *t, PyObject *dict)
{
    if (Py_REFCNT(dict) == 1) {
        return 0;
    }
    for (int i = 0; i < t->n_stacks; i++) {
        for (Py_ssize_t j = 0; j < t->stacks[i].n; j++) {
            _PyInterpreterFrame *frame = t->stacks[i].live[j]->frame;
            if (frame != NULL && frame->f_locals == dict && frame->f_locals != frame->f_globals) {
                return 1;
            }
        }
    }
    for (Py_ssize_t i = 0; t->granularity == FINE_INSTRUCTION && i < t->n_modules; i++) {
        if (t->modules[i].namespace == dict) {
            return 1;
        }
    }
    AddressTable *table = &t->heap.by_address;
    if (((PyDictObject *)dict)->ma_values == NULL && !t->has_plain_dicts) {
        return 0;
    }
    for (size_t i = 0; table->slots != NULL && i <= (size_t)table->mask; i++) {
        if (table->slots[i] != NULL && dict_of_object(table->slots[i]->object) == dict) {
            return 1;
        }
    }
    return 0;
}

/* The pairs of which none has a name that is left out. */
static void
leave_out(Heap *heap, PyObject *hidden)
{
    Py_ssize_t n = heap->n_pairs;
    heap->n_pairs = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        int is_hidden = 0;
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(hidden); k++) {
            is_hidden |= PyUnicode_Compare(heap->names[i], PyTuple_GET_ITEM(hidden, k)) == 0;
        }
        if (!is_hidden) {
            heap->names[heap->n_pairs] = heap->names[i];
            heap->items[heap->n_pairs++] = heap->items[i];
        }
    }
}

static int
read_instance(Tracer *t, Shape *shape, PyObject *value)
{
    for (int i = 0; i < shape->n_members; i++) {
        PyObject *item = *(PyObject **)((char *)value + shape->members[i].offset);
        if (item != NULL && add_pair(t, shape->members[i].name, item) < 0) {
            return -1;
        }
    }
    if (read_own(t, shape, value) < 0) {
        return -1;
    }
    if (UNLIKELY(PyTuple_GET_SIZE(shape->hidden) > 0)) {
        leave_out(&t->heap, shape->hidden);
    }
    return 0;
}

static int
read_exception(Tracer *t, Shape *shape, PyObject *value)
{
    PyBaseExceptionObject *error = (PyBaseExceptionObject *)value;
    if ((error->args != NULL && add_pair(t, N.args, error->args) < 0) || read_instance(t, shape, value) < 0) {
        return -1;
    }
    if (error->cause != NULL) {
        return add_pair(t, N.cause, error->cause);
    }
    return error->context == NULL || error->suppress_context ? 0 : add_pair(t, N.context, error->context);
}

/* ------------------------------------------------------------------ functions, classes */

static int read_by_python(Tracer *t, Entry *entry, PyObject *value);

static int
is_changing(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    return type == &PyList_Type || type == &PyDict_Type || type == &PySet_Type || type == &PyByteArray_Type ||
           type == &PyFrozenSet_Type || strcmp(type->tp_name, "collections.deque") == 0 ||
           strcmp(type->tp_name, "array.array") == 0;
}

/* Names that Python itself writes: into every class or function (`__x__`), into enumerations (`_x_`), abstract classes, named
 * tuples and protocols. */
static int
is_machine_name(PyObject *name)
{
    static const char *const others[] = {"_abc_impl", "_fields", "_field_defaults", "_is_protocol", "_is_runtime_protocol"};
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    if (n == 0 || PyUnicode_READ_CHAR(name, 0) != '_') {
        return 0;
    }
    int is_other = PyUnicode_READ_CHAR(name, n - 1) == '_';
    for (size_t i = 0; i < Py_ARRAY_LENGTH(others) && !is_other; i++) {
        is_other = PyUnicode_CompareWithASCIIString(name, others[i]) == 0;
    }
    return is_other;
}

/* ".name", borrowed, the same object each time. NULL: there is no memory. */
static PyObject *
dotted(Tracer *t, PyObject *name)
{
    if (t->heap.dotted == NULL && (t->heap.dotted = PyDict_New()) == NULL) {
        return NULL;
    }
    PyObject *text = PyDict_GetItemWithError(t->heap.dotted, name);
    if (text != NULL || PyErr_Occurred() || (text = PyUnicode_FromFormat(".%U", name)) == NULL) {
        return text;
    }
    int result = PyDict_SetItem(t->heap.dotted, name, text);
    Py_DECREF(text);
    return result < 0 ? NULL : text;
}

/* A function's own attributes, under names with a dot: its cells have theirs without. */
static int
read_function_dict(Tracer *t, PyObject *dict)
{
    PyObject *name, *item;
    Py_ssize_t at = 0;
    t->is_brute |= Py_REFCNT(dict) > 1; /* somebody has it, as `f.__dict__` gives it */
    while (PyDict_Next(dict, &at, &name, &item)) {
        if (PyUnicode_CheckExact(name) && !is_machine_name(name) &&
            ((name = dotted(t, name)) == NULL || add_pair(t, name, item) < 0)) {
            return -1;
        }
    }
    return 0;
}

static int
read_function(Tracer *t, Entry *entry, PyObject *value)
{
    PyFunctionObject *function = (PyFunctionObject *)value;
    PyObject *defaults = function->func_defaults, *kwdefaults = function->func_kwdefaults, *name, *item;
    Py_ssize_t at = 0;
    t->is_brute |= kwdefaults != NULL && Py_REFCNT(kwdefaults) > 1; /* somebody has it, as `f.__kwdefaults__` gives it */
    for (Py_ssize_t i = 0; defaults != NULL && i < PyTuple_GET_SIZE(defaults); i++) {
        if (is_changing(PyTuple_GET_ITEM(defaults, i))) {
            return read_by_python(t, entry, value);
        }
    }
    while (kwdefaults != NULL && PyDict_Next(kwdefaults, &at, &name, &item)) {
        if (is_changing(item)) {
            return read_by_python(t, entry, value);
        }
    }
    PyCodeObject *code = (PyCodeObject *)function->func_code;
    Py_ssize_t n = function->func_closure == NULL ? 0 : PyTuple_GET_SIZE(function->func_closure);
    n = n < code->co_nfreevars ? n : code->co_nfreevars;
    for (Py_ssize_t i = 0; i < n; i++) {
        item = PyCell_GET(PyTuple_GET_ITEM(function->func_closure, i));
        name = PyTuple_GET_ITEM(code->co_localsplusnames, code->co_nlocalsplus - code->co_nfreevars + i);
        if (item != NULL && add_pair(t, name, item) < 0) {
            return -1;
        }
    }
    return function->func_dict == NULL ? 0 : read_function_dict(t, function->func_dict);
}

/* Data that the program's own classes hold: what is no method or other descriptor, or stands where data stood before. */
static int
read_class(Tracer *t, Entry *entry, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)value;
    PyObject *name, *item;
    Py_ssize_t at = 0;
    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) || type->tp_dict == NULL) {
        return 0;
    }
    if (entry->is_own == 0) {
        PyObject *module = PyDict_GetItemWithError(type->tp_dict, N.module);
        entry->is_own = module != NULL && PyUnicode_CheckExact(module) && PyUnicode_Compare(module, t->own_module) == 0 ? 1 : -1;
    }
    if (entry->is_own < 0) {
        return PyErr_Occurred() ? -1 : 0;
    }
    while (PyDict_Next(type->tp_dict, &at, &name, &item)) {
        if (PyUnicode_CheckExact(name) && !is_machine_name(name) &&
            (Py_TYPE(item)->tp_descr_get == NULL || attribute_place(entry, name) >= 0) && add_pair(t, name, item) < 0) {
            return -1;
        }
    }
    return 0;
}

/* ------------------------------------------------------------------ iterators */

static int
read_range(Tracer *t, Entry *entry, PyObject *value)
{
    RangeIterator *it = (RangeIterator *)value;
    if (entry->memo == NULL) {
        long long first = it->start, stop = (long long)it->start + (long long)it->n * it->step;
#if PY_VERSION_HEX >= 0x030C0000
        first -= entry->in_loop ? it->step : 0; /* the iterator moves its own start */
#endif
        entry->memo = PyObject_CallFunction((PyObject *)&PyRange_Type, "LLl", first, stop, it->step);
        if (entry->memo == NULL) {
            return -1;
        }
        entry->n_all = (stop - first) / it->step; /* both are multiples: exact */
    }
    return add_pair(t, N.source, entry->memo) < 0 ? -1 : add_pair(t, N.position, TAGGED(range_position(entry)));
}

static int
read_numbered(Tracer *t, PyObject *sources)
{
    Py_ssize_t n = sources == NULL ? 0 : PyTuple_GET_SIZE(sources);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i >= (Py_ssize_t)Py_ARRAY_LENGTH(N.numbered)) {
            return 1;
        }
        if (add_pair(t, N.numbered[i], PyTuple_GET_ITEM(sources, i)) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
read_dict_items(Tracer *t, PyObject *value)
{
    DictIterator *it = (DictIterator *)value;
    if (it->source == NULL) {
        return 0;
    }
    Py_ssize_t used = PyDict_GET_SIZE(it->source);
    Py_ssize_t rest = it->used == used ? it->rest : 0;
    return add_pair(t, N.source, it->source) < 0 ? -1 : add_pair(t, N.position, TAGGED(used - rest));
}

static int
read_set_items(Tracer *t, Entry *entry, PyObject *value)
{
    SetIterator *it = (SetIterator *)value;
    if (it->source == NULL) {
        return 0;
    }
    if (entry->memo == NULL) { /* the first time: the members still to come, in their order */
        return read_by_python(t, entry, value);
    }
    PyObject *order = PyDict_GetItemWithError(entry->memo, N.order);
    if (order == NULL || !PyTuple_CheckExact(order)) {
        return read_by_python(t, entry, value);
    }
    Py_ssize_t rest = it->used == PySet_GET_SIZE(it->source) ? it->rest : 0;
    if (add_pair(t, N.source, it->source) < 0 || add_pair(t, N.order, order) < 0) {
        return -1;
    }
    return add_pair(t, N.position, TAGGED(PyTuple_GET_SIZE(order) - rest));
}

static int
read_enumerate(Tracer *t, PyObject *value)
{
    EnumerateIterator *it = (EnumerateIterator *)value;
    PyObject *position = it->long_index != NULL ? it->long_index : TAGGED(it->index);
    return add_pair(t, N.source, it->source) < 0 ? -1 : add_pair(t, N.position, position);
}

static int
read_map(Tracer *t, PyObject *value)
{
    MapIterator *it = (MapIterator *)value;
    return add_pair(t, N.function, it->function) < 0 ? -1 : read_numbered(t, it->sources);
}

/* ------------------------------------------------------------------ all */

/* Through the reader of shapes.py; its list is kept until the attributes have been written. */
static int
read_by_python(Tracer *t, Entry *entry, PyObject *value)
{
    t->heap.n_pairs = 0;
    if (entry->memo == NULL) {
        entry->memo = PyDict_New();
        PyObject *loop = entry->in_loop ? PyUnicode_InternFromString("loop") : NULL;
        if (entry->memo == NULL || (loop != NULL && PyDict_SetItem(entry->memo, loop, Py_True) < 0)) {
            Py_XDECREF(loop);
            return -1;
        }
        Py_XDECREF(loop);
    }
    PyObject *memo = Py_NewRef(entry->memo);
    PyObject *reader = PyObject_GetAttrString(entry->shape->python, "pairs");
    PyObject *pairs = reader == NULL ? NULL : lent_call(reader, value, memo);
    Py_XDECREF(reader);
    Py_DECREF(memo);
    if (pairs == NULL || !PyList_CheckExact(pairs)) {
        Py_XDECREF(pairs);
        return PyErr_Occurred() ? -1 : (PyErr_SetString(PyExc_TypeError, "a reader gave no list"), -1);
    }
    Py_XSETREF(t->heap.kept, pairs);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pairs); i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i);
        if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2 || !PyUnicode_CheckExact(PyTuple_GET_ITEM(pair, 0))) {
            PyErr_SetString(PyExc_TypeError, "a reader gave no pairs of a name and a value");
            return -1;
        }
        if (add_pair(t, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1)) < 0) {
            return -1;
        }
    }
    return 0;
}

int
read_attributes(Tracer *t, Entry *entry, PyObject *value)
{
    t->heap.n_pairs = 0;
    int result = 0;
    switch (entry->shape->reader) {
    case R_INSTANCE: return read_instance(t, entry->shape, value);
    case R_EXCEPTION: return read_exception(t, entry->shape, value);
    case R_FUNCTION: return read_function(t, entry, value);
    case R_METHOD: return add_pair(t, N.self, PyMethod_GET_SELF(value));
    case R_CLASS: return read_class(t, entry, value);
    case R_SEQUENCE: {
        SequenceIterator *it = (SequenceIterator *)value;
        if (it->source == NULL || it->index < 0) { /* exhausted; 3.13 says it by the index */
            return 0;
        }
        return add_pair(t, N.source, it->source) < 0 ? -1 : add_pair(t, N.position, TAGGED(it->index));
    }
    case R_RANGE: return read_range(t, entry, value);
    case R_ENUMERATE: return read_enumerate(t, value);
    case R_ZIP: result = read_numbered(t, ((ZipIterator *)value)->sources); break;
    case R_MAP: result = read_map(t, value); break;
    case R_DICT_ITEMS: return read_dict_items(t, value);
    case R_SET_ITEMS: return read_set_items(t, entry, value);
    case R_DEFAULTDICT: {
        PyObject *factory = *(PyObject **)((char *)value + sizeof(PyDictObject));
        return add_pair(t, N.factory, factory == NULL ? Py_None : factory);
    }
    case R_RANGE_OBJECT: {
        RangeObject *range = (RangeObject *)value;
        return add_pair(t, N.start, range->start) < 0 || add_pair(t, N.stop, range->stop) < 0 ? -1
                                                                                             : add_pair(t, N.step, range->step);
    }
    case R_PYTHON:
        if (entry->shape->is_summary) {
            PyObject *text;
            result = array_read(t, entry, value, &text);
            if (result != 0) {
                return result < 0 ? -1 : add_pair(t, N.summary, text);
            }
            result = read_by_python(t, entry, value);
            return result < 0 || t->heap.n_pairs != 1 ? result : array_keep(t, entry, value, t->heap.items[0]);
        }
        return read_by_python(t, entry, value);
    default: return 0;
    }
    return result > 0 ? read_by_python(t, entry, value) : result;
}

int
readers_ready(void)
{
    struct {
        PyObject **place;
        const char *name;
    } wanted[] = {
        {&N.start, "start"}, {&N.stop, "stop"}, {&N.step, "step"}, {&N.source, "source"}, {&N.position, "position"}, {&N.function, "function"}, {&N.order, "order"},
        {&N.self, "__self__"}, {&N.args, "args"}, {&N.cause, "__cause__"}, {&N.context, "__context__"},
        {&N.factory, "default_factory"}, {&N.module, "__module__"}, {&N.frame, "frame"}, {&N.summary, "summary"},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(wanted); i++) {
        if ((*wanted[i].place = PyUnicode_InternFromString(wanted[i].name)) == NULL) {
            return -1;
        }
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(N.numbered); i++) {
        PyObject *name = PyUnicode_FromFormat("source%d", (int)i);
        if (name == NULL) {
            return -1;
        }
        PyUnicode_InternInPlace(&name);
        N.numbered[i] = name;
    }
    return 0;
}

/* Whether two keys are the same, without code of the program's: scalars of one type, or tuples of such. */
static int
is_same_key(PyObject *a, PyObject *b)
{
    if (a == b || a == NULL || !Py_IS_TYPE(a, Py_TYPE(b))) {
        return a == b;
    }
    if (!PyTuple_CheckExact(a)) {
        return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(a);
    int is_same = n == PyTuple_GET_SIZE(b);
    for (Py_ssize_t i = 0; is_same && i < n; i++) {
        is_same = is_same_key(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i));
    }
    return is_same;
}

/* A set's own member that is the same as a key made of scalars; NULL: none, or it cannot be told. */
PyObject *
set_member(PySetObject *set, PyObject *key)
{
    Py_hash_t hash = PyObject_Hash(key);
    size_t mask = (size_t)set->mask, perturb = (size_t)hash, i = (size_t)hash & mask;
    for (;;) {
        setentry *entry = &set->table[i];
        int n = i + 9 <= mask ? 9 : 0; /* LINEAR_PROBES of Objects/setobject.c */
        do {
            if (entry->key == NULL) {
                return NULL;
            }
            if (entry->hash == hash && is_same_key(entry->key, key)) {
                return entry->key;
            }
            entry++;
        } while (n--);
        perturb >>= 5;
        i = (i * 5 + 1 + perturb) & mask;
    }
}

static int
is_same_object(PyObject *a, PyObject *b)
{
    return a == b;
}

static inline Py_ssize_t
place_of(PyDictObject *dict, PyObject *key, Py_hash_t hash, int (*is_same)(PyObject *, PyObject *))
{
    PyDictKeysObject *table = dict->ma_keys;
    size_t mask = ((size_t)1 << table->dk_log2_size) - 1, perturb = (size_t)hash, i = (size_t)hash & mask;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    for (;;) {
        Py_ssize_t at = table->dk_log2_size < 8    ? ((int8_t *)table->dk_indices)[i]
                        : table->dk_log2_size < 16 ? ((int16_t *)table->dk_indices)[i]
                        : table->dk_log2_size < 32 ? ((int32_t *)table->dk_indices)[i]
                                                   : (Py_ssize_t)((int64_t *)table->dk_indices)[i];
        if (at == -1) {
            return -1;
        }
        if (at >= 0) {
            PyObject *other = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_key : DK_ENTRIES(table)[at].me_key;
            if (other != NULL && is_same(other, key)) {
                return at;
            }
        }
        perturb >>= 5;
        i = (i * 5 + perturb + 1) & mask;
    }
}

/* The place of a scalar, or of a tuple of scalars, among the keys of a dictionary; -1: not there, or it cannot be told. */
Py_ssize_t
dict_place(PyDictObject *dict, PyObject *key)
{
    return place_of(dict, key, PyObject_Hash(key), is_same_key);
}

/* The place of this very object among the keys; nothing is hashed or compared. */
Py_ssize_t
dict_place_of(PyDictObject *dict, PyObject *key, Py_hash_t hash)
{
    return place_of(dict, key, hash, is_same_object);
}

/* What a dictionary has under such a key, borrowed; NULL: nothing, or it cannot be told. */
PyObject *
dict_value(PyDictObject *dict, PyObject *key)
{
    Py_ssize_t place = dict_place(dict, key);
    if (place < 0) {
        return NULL;
    }
    if (dict->ma_values != NULL) {
        return dict->ma_values->values[place];
    }
    PyDictKeysObject *table = dict->ma_keys;
    return table->dk_kind != DICT_KEYS_GENERAL ? DK_UNICODE_ENTRIES(table)[place].me_value : DK_ENTRIES(table)[place].me_value;
}
