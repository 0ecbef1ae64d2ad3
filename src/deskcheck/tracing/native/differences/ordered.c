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
    const Link *link = ((OrderedDict *)dict)->first;
    for (; PyDict_Next(dict, &at, &key, &value); link = link->next) {
        if (link == NULL || link->key != key) {
            return 1;
        }
    }
    return 0;
}

int
ordered_items(PyObject *object, PyObject **items, Py_ssize_t n)
{
    PyDictObject *dict = (PyDictObject *)object;
    PyDictKeysObject *table = dict->ma_keys;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    Py_ssize_t n_items = 0;
    for (const Link *link = ((OrderedDict *)object)->first; link != NULL && n_items < n; link = link->next) {
        Py_ssize_t place = dict_place_of(dict, link->key, link->hash);
        PyObject *value = place < 0    ? NULL
                          : is_unicode ? DK_UNICODE_ENTRIES(table)[place].me_value
                                       : DK_ENTRIES(table)[place].me_value;
        if (value == NULL) {
            return 0;
        }
        items[2 * n_items] = link->key;
        items[2 * n_items++ + 1] = value;
    }
    return n_items == n;
}
