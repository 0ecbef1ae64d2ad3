/* Iterators move by themselves, in any line: whether one has, and the short way to write that.
 *
 *   iterator_look(t, entry)      1: it is at rest, or its move has been written; 0: look the long way; < 0: failed
 */
#include "differences.h"

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
    if (entry->shape->reader == R_DEFAULTDICT) { /* only a missing key is put in by reading it */
        return entry->was_seen && PyDict_GET_SIZE(entry->object) == entry->content.n;
    }
    return 0;
}
