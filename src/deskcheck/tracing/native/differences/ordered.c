/* The order of an OrderedDict, which lies in a list of its own: move_to_end() changes it and leaves the dictionary below as
 * it is. No key is hashed or compared, since that can run code of the program: a key is known by its address.
 */
#include "differences.h"

/* As in Objects/odictobject.c, the same from CPython 3.11 to 3.13; `layout_is_known` compares the size of all. */
typedef struct Link {
    PyObject *key;
    Py_hash_t hash;
    struct Link *next, *previous;
} Link;

typedef struct {
    PyDictObject dict;
    Link *first, *last;
    void *unread[6];
} OrderedDict;

typedef struct {
    PyObject *key, *value;
} Pair;

static int
layout_is_known(PyObject *dict)
{
    return PyODict_Check(dict) && PyODict_Type.tp_basicsize == (Py_ssize_t)sizeof(OrderedDict);
}

int
ordered_is_moved(PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!layout_is_known(dict)) {
        return 0;
    }
    const Link *node = ((OrderedDict *)dict)->first;
    for (; PyDict_Next(dict, &at, &key, &value); node = node->next) {
        if (node == NULL || node->key != key) {
            return 1;
        }
    }
    return 0;
}

static int
compare_keys(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const Pair *)a)->key, y = (uintptr_t)((const Pair *)b)->key;
    return (x > y) - (x < y);
}

int
ordered_items(PyObject *dict, PyObject **items, Py_ssize_t n)
{
    Pair *pairs = PyMem_RawMalloc((size_t)(n + 1) * sizeof(Pair));
    Py_ssize_t at = 0, n_pairs = 0, n_items = 0;
    if (pairs == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    while (n_pairs < n && PyDict_Next(dict, &at, &pairs[n_pairs].key, &pairs[n_pairs].value)) {
        n_pairs++;
    }
    qsort(pairs, (size_t)n_pairs, sizeof(Pair), compare_keys);
    for (const Link *node = ((OrderedDict *)dict)->first; node != NULL && n_items < n_pairs; node = node->next) {
        Pair wanted = {node->key, NULL}, *pair = bsearch(&wanted, pairs, (size_t)n_pairs, sizeof(Pair), compare_keys);
        if (pair == NULL) {
            break;
        }
        items[2 * n_items] = pair->key;
        items[2 * n_items++ + 1] = pair->value;
    }
    PyMem_RawFree(pairs);
    return n_items == n;
}
