/* The net under the write sets: what is alive is compared with what the trace says, and a difference that no step explains
 * ends the run as rejected.
 *
 *   net_step(t)             after a line: every object, as often as the budget allows
 *   net_leave(t, frame)     a frame of the program's leaves: the objects that came up since it began; the last one: all
 *   heap.c                  an object dies in a line that can change none
 *
 * It comes after the look at what the event can have changed, so it finds nothing unless that left something out. The
 * budget begins with NET_FIRST, which lets short runs be compared after every line. Each step adds to it, so that a long
 * run pays the same small share whatever it holds. At the last step that a run may have, everything is due.
 *
 * Not seen: what has been changed back meanwhile; what died in a line that may change something; changes that a later line
 * was taken to make; variables of closures; whatever no name, no object and no stack of the program leads to.
 */
#include "net.h"

static inline int
is_same_list(const Entry *entry)
{
    const Shadow *known = &entry->content;
    return !known->n_cut && Py_SIZE(entry->object) == known->n &&
           (known->n == 0 ||
            memcmp(known->value, ((PyListObject *)entry->object)->ob_item, (size_t)known->n * sizeof(PyObject *)) == 0);
}

/* Objects that are compared at every event need no net. Code is compared at the end only. < 0: failed. */
static int
check_entry(Tracer *t, Entry *entry, int is_end)
{
    Shape *shape = entry->shape;
    int is_code = shape->reader == R_FUNCTION || shape->reader == R_CLASS;
    if (entry->is_always || !entry->is_mutable || t->failure != FAILURE_NONE || (is_code && !is_end)) {
        t->net_budget -= 1;
        return 0;
    }
    if (shape->content == C_LIST && shape->reader == R_NONE && is_same_list(entry)) {
        t->net_budget -= NET_LIST + entry->content.n / 2;
        return 0;
    }
    t->net_budget -= NET_OBJECT + 3 * (entry->content.n + entry->attributes.n);
    int64_t n_compared = t->n_compared;
    int changed = heap_check(t, entry->number);
    t->n_compared = n_compared; /* the net has its own budget */
    /* Once a run has had another thread, one can have run in the middle of this event or of code of the library,
     * and no step need say what it changed. The next event compares everything. */
    if (changed > 0 && t->n_stacks <= 1 && SWITCHES(t->stacks[t->current].state) == t->n_switches) {
        t->failure = FAILURE_UNEXPLAINED;
        t->unexplained = shape;
    }
    return changed < 0 ? -1 : 0;
}

/* Every event compares everything: there is nothing left to find. */
static inline int
is_off(Tracer *t)
{
    return !t->has_net || t->is_brute;
}

static int
check_all(Tracer *t, int is_end)
{
    Numbers *mutables = &t->heap.mutables;
    Py_ssize_t n_live = 0;
    t->net_budget -= NET_ALL;
    for (Py_ssize_t i = 0, n = mutables->n; i < n; i++) {
        Entry *entry = t->heap.by_number[mutables->items[i]];
        if (entry == NULL) {
            continue;
        }
        mutables->items[n_live++] = mutables->items[i];
        if (check_entry(t, entry, is_end) < 0) {
            return -1;
        }
    }
    mutables->n = n_live;
    return 0;
}

int
net_step(Tracer *t)
{
    if (is_off(t)) {
        t->net_next = INT64_MAX;
        return 0;
    }
    t->net_budget += NET_STEP * (t->step - t->net_from);
    int64_t before = t->net_budget;
    t->net_from = t->step;
    if (check_all(t, t->step == t->max_steps) < 0) {
        return -1;
    }
    int64_t missing = before - t->net_budget - t->net_budget; /* until it allows the same again */
    t->net_next = t->step + 1 + (missing > 0 ? missing / NET_STEP : 0);
    if (t->step < t->max_steps && t->net_next > t->max_steps) {
        t->net_next = t->max_steps;
    }
    return 0;
}

int
net_leave(Tracer *t, Frame *frame)
{
    if (is_off(t)) {
        return 0;
    }
    if (t->stacks[t->current].n == 1) {
        return check_all(t, 1);
    }
    for (Py_ssize_t i = t->columns.objects.n - 1; i >= frame->first_object && t->net_budget > 0; i--) {
        Entry *entry = t->heap.by_number[i];
        t->net_budget--;
        if (entry != NULL && check_entry(t, entry, 0) < 0) {
            return -1;
        }
    }
    return 0;
}
