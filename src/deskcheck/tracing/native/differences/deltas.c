/* Write the difference between a container as it was and as it is; the rules are those of deltas.py.
 *
 *   content_update(t, entry, value)       ELEMENT, KEY or MEMBER changes; the shadow is then what it is now
 *
 * An unchanged container costs a comparison of its addresses. A changed one is copied first, its items held,
 * because giving a new object its number may run Python code of ours.
 */
#include "differences.h"

int
content_update(Tracer *t, Entry *entry, PyObject *value)
{
    t->n_compared += entry->shape->content == C_BYTEARRAY || entry->shape->content == C_ARRAY ? entry->n_bytes / 8 : entry->content.n;
    switch (entry->shape->content) {
    case C_LIST: return sequence_update(t, entry, ((PyListObject *)value)->ob_item, Py_SIZE(value));
    case C_TUPLE: return sequence_update(t, entry, ((PyTupleObject *)value)->ob_item, Py_SIZE(value));
    case C_DICT: return dict_update(t, entry, value);
    case C_SET: return set_update(t, entry, value);
    case C_DEQUE: return deque_update(t, entry, value);
    default: return raw_update(t, entry, value);
    }
}

/* Only one place can have changed. */
int
content_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    if (entry->shape->content == C_DICT && !s->n_cut) {
        return dict_update_at(t, entry, value, place);
    }
    if (entry->shape->content == C_SET && place <= PLACE_MEMBER && !s->n_cut) {
        return set_add(t, entry, value, t->heap.members[PLACE_MEMBER - place]);
    }
    if (entry->shape->content != C_LIST || s->n_cut || place == PLACE_ONE) {
        return content_update(t, entry, value);
    }
    return sequence_update_at(t, entry, value, place);
}
