/* Whether an event of a frame can come where it comes, by the pairs of lines that its code allows (line_flow.c).
 *
 *   flow_take(t, code, pairs)           the pairs of one code object, by their first line
 *   flow_allows(t, code, from, to)      from: line of the frame's last line event, -1 at its beginning; to: a line,
 *                                       TO_RETURN or TO_YIELD
 */
#include "checks.h"

/* 0 with an exception: no memory. Pairs that name other lines than the code's allow nothing. */
int
flow_take(Trace *t, int64_t code, const char *pairs, Py_ssize_t size)
{
    LineFlow *flow = &t->flow[code];
    Py_ssize_t n_pairs = size / 8, n_lines = t->n_bytes[code];
    if (n_pairs == 0) {
        return 1;
    }
    flow->first = filled(n_lines + 2, sizeof(int32_t), 0);
    flow->to = filled(n_pairs, sizeof(int32_t), 0);
    if (flow->first == NULL || flow->to == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (int fill = 0; fill < 2; fill++) { /* how many each line has; then where they go */
        for (Py_ssize_t i = 0; i < n_pairs; i++) {
            int32_t pair[2];
            memcpy(pair, pairs + 8 * i, 8);
            if (pair[0] < -1 || pair[0] >= n_lines) {
                continue;
            }
            if (fill) {
                flow->to[--flow->first[pair[0] + 1]] = pair[1];
            }
            else {
                flow->first[pair[0] + 1]++;
            }
        }
        for (Py_ssize_t line = 0; !fill && line <= n_lines; line++) { /* the end of each; filling turns it into its start */
            flow->first[line + 1] += flow->first[line];
        }
    }
    return 1;
}

int
flow_allows(const Trace *t, int32_t code, int32_t from, int32_t to)
{
    const LineFlow *flow = &t->flow[code];
    if (flow->first == NULL) {
        return 1;
    }
    for (int32_t i = flow->first[from + 1], end = flow->first[from + 2]; i < end; i++) {
        if (flow->to[i] == to) {
            return 1;
        }
    }
    return 0;
}

void
flow_free(Trace *t)
{
    for (int64_t i = 0; t->flow != NULL && i < t->n_codes; i++) {
        PyMem_Free(t->flow[i].first);
        PyMem_Free(t->flow[i].to);
    }
    PyMem_Free(t->flow);
}
