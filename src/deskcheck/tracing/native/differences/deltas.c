/* Write the difference between a container as it was and as it is; the rules are those of deltas.py.
 *
 *   content_update(t, entry, value)       ELEMENT, KEY or MEMBER changes; the shadow is then what it is now
 *   iterator_look(t, entry)               1: it is at rest, or its move has been written; 0: look the long way; < 0: failed
 *
 * An unchanged container costs a comparison of its addresses. A changed one is copied first, its items held,
 * because giving a new object its number may run Python code of ours.
 */
#include "differences.h"

int
content_update(Tracer *t, Entry *entry, PyObject *value)
{
    t->n_compared += entry->shape->content == C_BYTEARRAY || entry->shape->content == C_ARRAY ? entry->n_bytes / 1024 : entry->content.n;
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
    if (entry->shape->content == C_SET && place <= PLACE_MEMBER && place > PLACE_GONE && !s->n_cut) {
        return set_add(t, entry, value, t->heap.members[PLACE_MEMBER - place]);
    }
    if (entry->shape->content == C_SET && place <= PLACE_GONE && !s->n_cut) {
        return set_take(t, entry, value, PLACE_GONE - place - 1);
    }
    if (entry->shape->content == C_DEQUE && !s->n_cut) {
        return deque_update_at(t, entry, value, place);
    }
    int is_of_list = place >= 0 || place == PLACE_END || place == PLACE_LAST || place == PLACE_HEAP || place == PLACE_HEAP_ASKED;
    if (entry->shape->content != C_LIST || s->n_cut || !is_of_list) {
        return content_update(t, entry, value);
    }
    return place == PLACE_HEAP || place == PLACE_HEAP_ASKED ? heap_path_update(t, entry, value, place == PLACE_HEAP) : sequence_update_at(t, entry, value, place);
}

/* ------------------------------------------------------------------ iterators, which move by themselves, in any line */

/* The second of its two attributes is its position. */
static inline int
moved(Tracer *t, Entry *entry, int64_t position)
{
    Shadow *known = &entry->attributes;
    if (known->value[1] == TAGGED(position)) {
        return 1;
    }
    if (UNLIKELY(known->n_cut || !IS_TAGGED(known->value[1]))) {
        return 0;
    }
    int32_t handle = int_row(t, position);
    if (handle < 0) {
        return -1;
    }
    change(t, P_ATTRIBUTE, entry->number, known->key_handle[1], -1, OP_SET, handle);
    known->value[1] = TAGGED(position);
    known->value_handle[1] = handle;
    entry->changed = t->columns.events.n;
    return 1;
}

int
iterator_look(Tracer *t, Entry *entry)
{
    Shadow *known = &entry->attributes;
    if (entry->shape->reader == R_RANGE) {
        return known->n == 2 ? moved(t, entry, range_position(entry)) : 0;
    }
    if (entry->shape->reader == R_SEQUENCE) {
        SequenceIterator *it = (SequenceIterator *)entry->object;
        if (it->source == NULL || it->index < 0) {
            return known->n == 0;
        }
        return known->n == 2 && known->value[0] == it->source ? moved(t, entry, it->index) : 0;
    }
    if (entry->shape->reader == R_DEFAULTDICT || (entry->shape->reader == R_INSTANCE && entry->shape->content == C_DICT && !entry->content.n_cut && !entry->attributes.n_cut)) {
        /* Only a missing key is put in by reading it. */
        return entry->was_seen && PyDict_GET_SIZE(entry->object) == entry->content.n - entry->content.n_holes;
    }
    return 0;
}
