/* A list after heappush, heappop, heapreplace or heappushpop of the module heapq: what they move lies on one path
 * between the first item and a leaf.
 *
 *   heap_path_update(t, entry, list, is_alone)      ELEMENT changes, as sequence_update writes them
 *
 * heappush moves items down from the parents of the new place. The others move children up from the root, so an item
 * that has been moved is one of the two that stood below it. `is_alone`: no code in Python has run meanwhile; if any
 * has, the items on the path must be such that comparing them runs none, because that has events of its own.
 */
#include "differences.h"

enum { MOST_PLACES = 128 };

typedef struct {
    Py_ssize_t place;
    PyObject *item; /* held */
    int32_t handle;
} Moved;

typedef struct {
    Tracer *t;
    Shadow *known;
    PyObject **items;
    Py_ssize_t n;
    int is_alone, is_lost; /* lost: it cannot be told which items were moved */
    int n_moved;
    Moved moved[MOST_PLACES];
} Heaped;

static void
pass(Heaped *h, Py_ssize_t place)
{
    PyObject *item = h->items[place];
    h->t->n_compared++;
    h->is_lost |= !h->is_alone && !is_plain_key(item);
    if (place < h->known->n && h->known->value[place] == item) {
        return;
    }
    if (h->n_moved == MOST_PLACES) {
        h->is_lost = 1;
        return;
    }
    h->moved[h->n_moved++] = (Moved){place, item, ABSENT};
}

static void
go_up(Heaped *h)
{
    for (Py_ssize_t place = h->n - 1;; place = (place - 1) / 2) {
        pass(h, place);
        if (place == 0) {
            return;
        }
    }
}

static void
go_down(Heaped *h)
{
    PyObject **before = h->known->value;
    Py_ssize_t work[MOST_PLACES], n_work = 1;
    int n_passed = 0;
    work[0] = 0;
    while (n_work && h->n && !h->is_lost) {
        Py_ssize_t place = work[--n_work], left = 2 * place + 1, right = left + 1;
        pass(h, place);
        if (left >= h->n) {
            continue;
        }
        PyObject *now = h->items[place];
        int goes_left = before[left] == now || before[left] != h->items[left];
        int goes_right = right < h->n && (before[right] == now || before[right] != h->items[right]);
        /* Of two that are one object, the right one is moved. */
        goes_left &= !(goes_right && before[left] == before[right] && before[left] == h->items[left] && is_plain_key(now));
        if (!h->is_alone) {
            h->is_lost |= !is_plain_key(h->items[left]) || (right < h->n && !is_plain_key(h->items[right]));
        }
        if (++n_passed > MOST_PLACES / 2) {
            h->is_lost = 1;
            return;
        }
        if (goes_left) {
            work[n_work++] = left;
        }
        if (goes_right) {
            work[n_work++] = right;
        }
    }
}

static int
compare_moved(const void *a, const void *b)
{
    Py_ssize_t x = ((const Moved *)a)->place, y = ((const Moved *)b)->place;
    return (x > y) - (x < y);
}

static int32_t
handle_at(const Heaped *h, Py_ssize_t place)
{
    for (int i = 0; i < h->n_moved; i++) {
        if (h->moved[i].place == place) {
            return h->moved[i].handle;
        }
    }
    return h->known->value_handle[place];
}

/* The rows that sequence_update would write: what is equal at both ends is left alone. */
static void
write_rows(Heaped *h, Entry *entry)
{
    const Shadow *s = h->known;
    Py_ssize_t n = h->n, old_n = s->n, shorter = n < old_n ? n : old_n, same = shorter, end = 0;
    for (int i = h->n_moved - 1; i >= 0; i--) {
        Py_ssize_t place = h->moved[i].place;
        same = place < shorter && h->moved[i].handle != s->value_handle[place] ? place : same;
    }
    while (n != old_n && end < shorter - same && s->value_handle[old_n - 1 - end] == handle_at(h, n - 1 - end)) {
        end++;
        h->t->n_compared++;
    }
    Py_ssize_t shared = shorter - end;
    for (int i = 0; i < h->n_moved; i++) {
        const Moved *one = &h->moved[i];
        if (one->place >= same && one->place < shared && one->handle != s->value_handle[one->place]) {
            change(h->t, P_ELEMENT, entry->number, -1, (int32_t)one->place, OP_SET, one->handle);
        }
    }
    if (n < old_n) {
        change(h->t, P_ELEMENT, entry->number, -1, (int32_t)shared, OP_DELETE, ABSENT);
    }
    else if (n > old_n) {
        change(h->t, P_ELEMENT, entry->number, -1, (int32_t)shared, OP_INSERT, handle_at(h, shared));
    }
}

static void
renew(Heaped *h, Entry *entry)
{
    Tracer *t = h->t;
    Shadow *s = h->known;
    for (int i = 0; i < h->n_moved; i++) {
        const Moved *one = &h->moved[i];
        PyObject *old = one->place < s->n ? s->value[one->place] : DEAD_ADDRESS;
        int32_t before = one->place < s->n ? s->value_handle[one->place] : one->handle;
        s->value[one->place] = shadow_hold(t, entry, s, one->place, one->item, one->handle);
        s->value_handle[one->place] = one->handle;
        s->n = one->place < s->n ? s->n : one->place + 1;
        shadow_release(t, s, old, before);
    }
    if (s->n > h->n) {
        s->n = h->n;
        shadow_release(t, s, s->value[h->n], s->value_handle[h->n]);
    }
}

int
heap_path_update(Tracer *t, Entry *entry, PyObject *list, int is_alone)
{
    Heaped h;
    h.t = t;
    h.known = &entry->content;
    h.items = ((PyListObject *)list)->ob_item;
    h.n = Py_SIZE(list);
    h.is_alone = is_alone;
    h.is_lost = h.n > h.known->n + 1 || h.n < h.known->n - 1;
    h.n_moved = 0;
    if (!h.is_lost) {
        h.n > h.known->n ? go_up(&h) : go_down(&h);
    }
    if (h.is_lost) {
        return content_update(t, entry, list);
    }
    if (h.n_moved == 0 && h.n == h.known->n) {
        return 0;
    }
    entry->changed = t->columns.events.n;
    qsort(h.moved, (size_t)h.n_moved, sizeof(Moved), compare_moved);
    int result = 0;
    for (int i = 0; i < h.n_moved; i++) {
        Py_INCREF(h.moved[i].item);
    }
    for (int i = 0; i < h.n_moved && result == 0; i++) {
        h.moved[i].handle = heap_handle(t, h.moved[i].item);
        result = h.moved[i].handle < 0 ? -1 : 0;
    }
    if (result == 0 && (result = shadow_resize(t, h.known, h.n, 0)) == 0) {
        write_rows(&h, entry);
        renew(&h, entry);
    }
    for (int i = 0; i < h.n_moved; i++) {
        Py_DECREF(h.moved[i].item);
    }
    return result;
}
