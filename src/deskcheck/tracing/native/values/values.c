/* Handles of immutable scalars: equal values of one type share a row. The rules are those of values.py.
 *
 * Tables are by content: ints by number, floats by bits, strings by their text (texts.c), the rest by a key of
 * bytes. Every hit on a hash is compared in full.
 */
#include "values.h"
#include <datetime.h>

static PyTypeObject *by_repr[8]; /* exact types whose repr is C code and holds no address */
static PyTypeObject *fixed_zone; /* datetime.timezone */

/* ------------------------------------------------------------------ tables */

int
values_table_grow(Tracer *t, HandleTable *table, uint64_t (*hash_of)(Tracer *, int32_t))
{
    Py_ssize_t size = table->slots == NULL ? 256 : (table->mask + 1) * 2;
    int32_t *slots = PyMem_RawMalloc((size_t)size * sizeof(int32_t));
    if (slots == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    memset(slots, 0xFF, (size_t)size * sizeof(int32_t));
    for (Py_ssize_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        int32_t handle = table->slots[i];
        if (handle >= 0) {
            size_t at = mixed(hash_of(t, handle)) & (size_t)(size - 1);
            while (slots[at] >= 0) {
                at = (at + 1) & (size_t)(size - 1);
            }
            slots[at] = handle;
        }
    }
    PyMem_RawFree(table->slots);
    table->slots = slots;
    table->mask = size - 1;
    return 0;
}

static uint64_t
hash_of_int(Tracer *t, int32_t handle)
{
    return (uint64_t)t->columns.values.number[handle];
}

static uint64_t
hash_of_float(Tracer *t, int32_t handle)
{
    uint64_t bits;
    memcpy(&bits, &t->columns.values.real[handle], 8);
    return bits;
}

int32_t
values_type_name(Tracer *t, int32_t *index, const char *name)
{
    if (*index < 0) {
        PyObject *text = PyUnicode_InternFromString(name);
        if (text == NULL) {
            return FAILED;
        }
        *index = columns_name(t, text);
        Py_DECREF(text);
    }
    return *index;
}

/* ------------------------------------------------------------------ rows of any kind */

static int32_t
row(Tracer *t, int kind, PyObject *type, const char *key, Py_ssize_t n_key, int64_t number, double real,
    const char *data, Py_ssize_t n_data)
{
    PyObject *head = PyUnicode_FromFormat("%d %U ", kind, type);
    PyObject *place = head == NULL ? NULL : PyUnicode_AsEncodedString(head, "utf-8", "surrogatepass");
    Py_XDECREF(head);
    PyObject *tail = PyBytes_FromStringAndSize(key, n_key);
    if (place == NULL || tail == NULL) {
        Py_XDECREF(place);
        Py_XDECREF(tail);
        return FAILED;
    }
    PyBytes_ConcatAndDel(&place, tail);
    if (place == NULL) {
        return FAILED;
    }
    int32_t handle = FAILED;
    PyObject *known = PyDict_GetItemWithError(t->values.others, place);
    if (known != NULL) {
        handle = (int32_t)PyLong_AsLong(known);
    }
    else if (!PyErr_Occurred()) {
        int32_t index = columns_name(t, type);
        handle = index < 0 ? FAILED : columns_value(t, kind, index, number, real, data, n_data);
        PyObject *made = handle < 0 ? NULL : PyLong_FromLong(handle);
        if (made == NULL || PyDict_SetItem(t->values.others, place, made) < 0) {
            handle = FAILED;
        }
        Py_XDECREF(made);
    }
    Py_DECREF(place);
    return handle;
}

static int32_t
row_of(Tracer *t, int kind, const char *type, const char *key, Py_ssize_t n_key, int64_t number, double real,
       const char *data, Py_ssize_t n_data)
{
    PyObject *name = PyUnicode_FromString(type);
    if (name == NULL) {
        return FAILED;
    }
    int32_t handle = row(t, kind, name, key, n_key, number, real, data, n_data);
    Py_DECREF(name);
    return handle;
}

/* The mark for a value that was not looked into. */
int32_t
values_truncated(Tracer *t, const char *what, int64_t size, PyObject *type)
{
    char key[64];
    int n = PyOS_snprintf(key, sizeof(key), "%s %lld", what, (long long)size);
    t->values.cut = 1;
    return row(t, V_TRUNCATED, type, key, n, size, 0.0, what, (Py_ssize_t)strlen(what));
}

int32_t
values_truncated_scalar(Tracer *t, const char *what, int64_t size)
{
    PyObject *name = PyUnicode_FromString(what);
    int32_t handle = name == NULL ? FAILED : values_truncated(t, what, size, name);
    Py_XDECREF(name);
    return handle;
}

/* ------------------------------------------------------------------ numbers */

int32_t
values_int(Tracer *t, int64_t number)
{
    Values *v = &t->values;
    int is_small = number >= SMALL_LOW && number < SMALL_HIGH;
    if (is_small && v->small[number - SMALL_LOW] >= 0) {
        return v->small[number - SMALL_LOW];
    }
    if (table_room(t, &v->ints, hash_of_int) < 0) {
        return FAILED;
    }
    size_t at = mixed((uint64_t)number) & (size_t)v->ints.mask;
    while (v->ints.slots[at] >= 0) {
        if (t->columns.values.number[v->ints.slots[at]] == number) {
            return v->ints.slots[at];
        }
        at = (at + 1) & (size_t)v->ints.mask;
    }
    int32_t type = values_type_name(t, &v->t_int, "int");
    int32_t handle = type < 0 ? FAILED : columns_value(t, V_INT, type, number, 0.0, NULL, 0);
    if (handle >= 0) {
        v->ints.slots[at] = handle;
        v->ints.n++;
        if (is_small) {
            v->small[number - SMALL_LOW] = handle;
        }
    }
    return handle;
}

static int32_t
big_int(Tracer *t, PyObject *value)
{
    size_t bits = _PyLong_NumBits(value);
    if ((int64_t)bits > 8 * t->value_bytes) {
        return values_truncated_scalar(t, "int", (int64_t)((bits + 7) / 8));
    }
    PyObject *text = PyNumber_ToBase(value, 16);
    if (text == NULL) {
        return FAILED;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    const char *data = (const char *)PyUnicode_1BYTE_DATA(text);
    int32_t handle = row_of(t, V_INT, "int", data, n, 0, 0.0, data, n);
    Py_DECREF(text);
    return handle;
}

static inline int32_t
int_handle(Tracer *t, PyObject *value)
{
    PyLongObject *l = (PyLongObject *)value;
    Py_ssize_t size = LONG_SIZE(l);
    if (LIKELY(size >= -1 && size <= 1)) {
        return values_int(t, size == 0 ? 0 : size * (int64_t)LONG_DIGITS(l)[0]);
    }
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow ? big_int(t, value) : values_int(t, number);
}

static int32_t
float_handle(Tracer *t, PyObject *value)
{
    Values *v = &t->values;
    double real = PyFloat_AS_DOUBLE(value);
    uint64_t bits, other;
    memcpy(&bits, &real, 8);
    if (table_room(t, &v->floats, hash_of_float) < 0) {
        return FAILED;
    }
    size_t at = mixed(bits) & (size_t)v->floats.mask;
    while (v->floats.slots[at] >= 0) {
        memcpy(&other, &t->columns.values.real[v->floats.slots[at]], 8);
        if (other == bits) {
            return v->floats.slots[at];
        }
        at = (at + 1) & (size_t)v->floats.mask;
    }
    int32_t type = values_type_name(t, &v->t_float, "float");
    int32_t handle = type < 0 ? FAILED : columns_value(t, V_FLOAT, type, 0, real, NULL, 0);
    if (handle >= 0) {
        v->floats.slots[at] = handle;
        v->floats.n++;
    }
    return handle;
}

static int32_t
complex_handle(Tracer *t, PyObject *value)
{
    Py_complex number = ((PyComplexObject *)value)->cval;
    char key[16];
    memcpy(key, &number.real, 8);
    memcpy(key + 8, &number.imag, 8);
    return row_of(t, V_COMPLEX, "complex", key, 16, 0, number.real, key + 8, 8);
}

/* ------------------------------------------------------------------ all of them */

static int32_t
bytes_handle(Tracer *t, PyObject *value)
{
    Py_ssize_t n = PyBytes_GET_SIZE(value);
    if (n > t->value_bytes) {
        return values_truncated_scalar(t, "bytes", n);
    }
    return row_of(t, V_BYTES, "bytes", PyBytes_AS_STRING(value), n, 0, 0.0, PyBytes_AS_STRING(value), n);
}

/* Whether the repr of a time zone is C code: of a fixed one, or of a zoneinfo.ZoneInfo with a plain key. */
static int
has_plain_repr(PyObject *zone)
{
    PyTypeObject *type = Py_TYPE(zone);
    if (zone == Py_None || type == fixed_zone) {
        return 1;
    }
    if (strcmp(type->tp_name, "zoneinfo.ZoneInfo") != 0) {
        return 0;
    }
    PyObject *parts[2];
    for (int i = 0; i < 2; i++) {
        PyObject *name = PyUnicode_InternFromString(i ? "__repr__" : "key");
        parts[i] = name == NULL ? NULL : _PyType_Lookup(type, name); /* borrowed */
        Py_XDECREF(name);
    }
    if (parts[0] == NULL || parts[1] == NULL || !Py_IS_TYPE(parts[0], &PyMemberDescr_Type) ||
        !Py_IS_TYPE(parts[1], &PyWrapperDescr_Type)) {
        PyErr_Clear();
        return 0;
    }
    PyObject *key = Py_TYPE(parts[0])->tp_descr_get(parts[0], zone, (PyObject *)type);
    int is_plain = key != NULL && PyUnicode_CheckExact(key);
    Py_XDECREF(key);
    PyErr_Clear();
    return is_plain;
}

/* A datetime or time whose zone is of a class of the program: that is named, never asked. */
static PyObject *
repr_without_zone(PyObject *value, PyObject *zone)
{
    PyObject *replace = PyObject_GetAttrString(value, "replace"), *nothing = PyTuple_New(0);
    PyObject *no_zone = Py_BuildValue("{s:O}", "tzinfo", Py_None);
    PyObject *plain = replace == NULL || nothing == NULL || no_zone == NULL ? NULL : PyObject_Call(replace, nothing, no_zone);
    PyObject *text = plain == NULL ? NULL : Py_TYPE(plain)->tp_repr(plain);
    PyObject *name = text == NULL ? NULL : PyType_GetName(Py_TYPE(zone));
    PyObject *result = name == NULL ? NULL : PyUnicode_FromFormat("%U in <%U>", text, name);
    Py_XDECREF(replace);
    Py_XDECREF(nothing);
    Py_XDECREF(no_zone);
    Py_XDECREF(plain);
    Py_XDECREF(text);
    Py_XDECREF(name);
    return result;
}

/* The code of a zone that the program has made is called by operators on the times in it, and nothing recorded leads to it:
 * from then on everything is compared, as the guard has it. */
static PyObject *
plain_repr(Tracer *t, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    PyObject *zone = type == PyDateTimeAPI->DateTimeType ? PyDateTime_DATE_GET_TZINFO(value)
                     : type == PyDateTimeAPI->TimeType ? PyDateTime_TIME_GET_TZINFO(value)
                                                       : Py_None;
    if (LIKELY(has_plain_repr(zone))) {
        return type->tp_repr(value);
    }
    t->is_hidden |= t->has_guard;
    t->is_brute |= t->has_guard;
    return repr_without_zone(value, zone);
}

static int32_t
repr_handle(Tracer *t, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    PyObject *text = plain_repr(t, value);
    PyObject *data = text == NULL ? NULL : PyUnicode_AsUTF8String(text);
    int32_t handle = data == NULL ? FAILED
                                  : row_of(t, V_OPAQUE, type->tp_name, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data),
                                           0, 0.0, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data));
    Py_XDECREF(text);
    Py_XDECREF(data);
    return handle;
}

struct ScalarType scalar_types[N_TYPES];

/* Found out, and noted for is_scalar(). */
int
is_scalar_type(PyTypeObject *type)
{
    static PyTypeObject *const plain[] = {&PyLong_Type,    &PyUnicode_Type, &PyFloat_Type,    &_PyNone_Type,
                                          &PyBool_Type,    &PyBytes_Type,   &PyComplex_Type,  &PyEllipsis_Type,
                                          &_PyNotImplemented_Type};
    int found = 0;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(plain); i++) {
        found |= plain[i] == type;
    }
    for (int i = 0; by_repr[i] != NULL; i++) {
        found |= by_repr[i] == type;
    }
    scalar_types[((uintptr_t)type >> 4) % N_TYPES] = (struct ScalarType){type, found};
    return found;
}

/* Handle of a value for which is_scalar() holds. */
int32_t
values_scalar(Tracer *t, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    Values *v = &t->values;
    if (LIKELY(type == &PyLong_Type)) {
        return int_handle(t, value);
    }
    if (type == &PyUnicode_Type) {
        return values_string(t, value);
    }
    if (type == &PyFloat_Type) {
        return float_handle(t, value);
    }
    if (type == &PyBool_Type) {
        int truth = value == Py_True;
        if (v->truth[truth] < 0) {
            int32_t index = values_type_name(t, &v->t_bool, "bool");
            v->truth[truth] = index < 0 ? FAILED : columns_value(t, V_BOOL, index, truth, 0.0, NULL, 0);
        }
        return v->truth[truth];
    }
    if (value == Py_None) {
        if (v->none < 0) {
            int32_t index = values_type_name(t, &v->t_none, "NoneType");
            v->none = index < 0 ? FAILED : columns_value(t, V_NONE, index, 0, 0.0, NULL, 0);
        }
        return v->none;
    }
    if (type == &PyBytes_Type) {
        return bytes_handle(t, value);
    }
    if (type == &PyComplex_Type) {
        return complex_handle(t, value);
    }
    if (value == Py_Ellipsis) {
        return row_of(t, V_SINGLETON, "ellipsis", "Ellipsis", 8, 0, 0.0, "Ellipsis", 8);
    }
    if (value == Py_NotImplemented) {
        return row_of(t, V_SINGLETON, "NotImplementedType", "NotImplemented", 14, 0, 0.0, "NotImplemented", 14);
    }
    return repr_handle(t, value);
}

static int
find_repr_types(void)
{
    static const char *const names[][2] = {
        {"decimal", "Decimal"},  {"datetime", "date"}, {"datetime", "datetime"},
        {"datetime", "time"}, {"datetime", "timedelta"},
    };
    PyDateTime_IMPORT;
    if (PyDateTimeAPI == NULL) {
        return -1;
    }
    fixed_zone = Py_TYPE(PyDateTime_TimeZone_UTC);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names) && by_repr[4] == NULL; i++) {
        PyObject *module = PyImport_ImportModule(names[i][0]);
        PyObject *type = module == NULL ? NULL : PyObject_GetAttrString(module, names[i][1]);
        Py_XDECREF(module);
        if (type == NULL || !PyType_Check(type)) {
            return -1;
        }
        by_repr[i] = (PyTypeObject *)type;
    }
    return 0;
}

int
values_init(Tracer *t)
{
    Values *v = &t->values;
    memset(v->small, 0xFF, sizeof(v->small));
    v->t_int = v->t_str = v->t_float = v->t_bool = v->t_none = ABSENT;
    v->none = v->truth[0] = v->truth[1] = ABSENT;
    v->pending_from = ABSENT;
    v->others = PyDict_New();
    return v->others == NULL ? -1 : find_repr_types();
}

void
values_clear(Tracer *t)
{
    Values *v = &t->values;
    for (int i = 0; i < N_RECENT; i++) {
        Py_CLEAR(v->recent[i].text);
    }
    for (int i = 0; i < N_LONG; i++) {
        Py_CLEAR(v->lengthy[i].text);
    }
    PyMem_RawFree(v->ints.slots);
    PyMem_RawFree(v->floats.slots);
    PyMem_RawFree(v->strings.slots);
    Py_CLEAR(v->others);
    memset(v, 0, sizeof(*v));
}
