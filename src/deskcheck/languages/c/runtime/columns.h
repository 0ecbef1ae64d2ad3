/* Columns of a trace, as `format/buffers.py` names them, and the table of values in which equal scalars share a row.

    push_event(LINE, frame, line, -1)            with all changes since the event before
    push_change(LOCAL, frame, key, -1, SET, int_value(3, type))

Included by record.c alone. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One growing buffer. */
struct column { char *at; size_t n, room; };
enum {
    E_KIND, E_FRAME, E_LINE, E_VALUE, E_END, E_STEP, C_PLACE, C_OWNER, C_KEY, C_INDEX, C_OP, C_VALUE,
    V_KIND, V_NUMBER, V_REAL, V_TYPE, V_AT, V_DATA, O_KIND, O_TYPE, O_TEXT, F_CODE, F_PARENT, OUT_TEXT, OUT_AT, N_COLUMNS
};
static struct column columns[N_COLUMNS];

/* Numbers of the format. */
enum { CALL = 0, LINE = 1, RETURN = 4, RAISE = 5, UNWIND = 6, FREED = 10 };
enum { LOCAL = 0, GLOBAL = 3, ELEMENT = 6, ATTRIBUTE = 9, CONTENT = 10 };
enum { SET = 0, DELETE = 1, INSERT = 2 };
enum { NONE = 0, BOOL = 1, INT = 2, FLOAT = 3, STR = 5, BYTES = 6, REF = 8, TRUNCATED = 9, OPAQUE = 10, UNASSIGNED = 12, UNINITIALIZED = 13, CHAR = 16 };
enum { LIST = 0, RECORD = 5, POINTED = 5 };

static long long n_steps, n_changes, n_events;
static long trace_bytes_left, value_bytes;
static void stop(int why);
enum { RUNNING, BY_STEPS, BY_TRACE, BY_OUTPUT, BY_MEMORY, BY_NODES };

static inline void *grow(struct column *c, size_t more) {
    if (c->n + more > c->room) {
        size_t room = c->room ? 2 * c->room : 4096;
        while (room < c->n + more) room *= 2;
        char *at = realloc(c->at, room);
        if (at == NULL) stop(BY_MEMORY);
        c->at = at, c->room = room;
    }
    trace_bytes_left -= (long)more;
    void *place = c->at + c->n;
    c->n += more;
    return place;
}
static inline void put8(int column, int value) { *(int8_t *)grow(&columns[column], 1) = (int8_t)value; }
static inline void put32(int column, int value) { *(int32_t *)grow(&columns[column], 4) = value; }
static inline void put64(int column, int64_t value) { *(int64_t *)grow(&columns[column], 8) = value; }

static inline void push_change(int place, int owner, int key, int index, int op, int value) {
    put8(C_PLACE, place), put32(C_OWNER, owner), put32(C_KEY, key), put32(C_INDEX, index), put8(C_OP, op), put32(C_VALUE, value);
    n_changes++;
}
static inline void push_event(int kind, int frame, int line, int value) {
    n_steps += kind == LINE;
    put8(E_KIND, kind), put32(E_FRAME, frame), put32(E_LINE, line), put32(E_VALUE, value);
    put32(E_END, (int)n_changes), put64(E_STEP, n_steps);
    n_events++;
    if (trace_bytes_left < 0) stop(BY_TRACE);
}

/* ------------------------------------------------------------ values */

static int32_t *slots; /* hash table of handles + 1 */
static size_t n_slots;
static int n_values;
static uint64_t *hashes;
static size_t hashes_room;

static uint64_t mixed(uint64_t h) { h ^= h >> 31; h *= 0x9e3779b97f4a7c15u; h ^= h >> 29; return h; }

static void more_slots(void) {
    size_t n = n_slots ? 2 * n_slots : 1024;
    int32_t *fresh = calloc(n, sizeof *fresh);
    if (fresh == NULL) stop(BY_MEMORY);
    for (int v = 0; v < n_values; v++) {
        size_t at = hashes[v] & (n - 1);
        while (fresh[at]) at = (at + 1) & (n - 1);
        fresh[at] = v + 1;
    }
    free(slots);
    slots = fresh, n_slots = n;
}

/* The handle of a value with these cells, an old one if there is one. */
static int value_row(int kind, int64_t number, double real, int type, const void *data, size_t n_bytes) {
    uint64_t bits;
    memcpy(&bits, &real, 8);
    uint64_t h = mixed((uint64_t)number ^ mixed(bits ^ mixed((uint64_t)kind << 32 ^ (uint64_t)type)));
    for (size_t i = 0; i < n_bytes; i++) h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    h = mixed(h);
    if (2 * (size_t)(n_values + 1) > n_slots) more_slots();
    size_t at = h & (n_slots - 1);
    for (; slots[at]; at = (at + 1) & (n_slots - 1)) {
        int v = slots[at] - 1;
        if (hashes[v] != h || columns[V_KIND].at[v] != kind || ((int32_t *)columns[V_TYPE].at)[v] != type) continue;
        if (((int64_t *)columns[V_NUMBER].at)[v] != number || memcmp(columns[V_REAL].at + 8 * v, &real, 8)) continue;
        int32_t *ends = (int32_t *)columns[V_AT].at;
        if ((size_t)(ends[v + 1] - ends[v]) == n_bytes && !memcmp(columns[V_DATA].at + ends[v], data, n_bytes)) return v;
    }
    if ((size_t)n_values == hashes_room) {
        hashes_room = hashes_room ? 2 * hashes_room : 1024;
        hashes = realloc(hashes, hashes_room * sizeof *hashes);
        if (hashes == NULL) stop(BY_MEMORY);
    }
    slots[at] = n_values + 1;
    hashes[n_values] = h;
    put8(V_KIND, kind), put64(V_NUMBER, number), put64(V_REAL, (int64_t)bits), put32(V_TYPE, type);
    if (n_bytes) memcpy(grow(&columns[V_DATA], n_bytes), data, n_bytes);
    if (n_values == 0) put32(V_AT, 0);
    put32(V_AT, (int)columns[V_DATA].n);
    return n_values++;
}
static int plain_value(int kind, int64_t number, int type) { return value_row(kind, number, 0.0, type, NULL, 0); }
static int opaque_value(const char *text, int type) { return value_row(OPAQUE, 0, 0.0, type, text, strlen(text)); }

/* Length of the well-formed UTF-8 at the beginning of some bytes, as Python's decoder has it. */
static size_t utf8_length(const unsigned char *s, size_t n) {
    size_t i = 0;
    while (i < n) {
        unsigned char c = s[i];
        size_t more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 9;
        if (more == 9 || i + more >= n + (more == 0)) return i;
        for (size_t k = 1; k <= more; k++) if ((s[i + k] & 0xc0) != 0x80) return i;
        if ((c == 0xe0 && s[i + 1] < 0xa0) || (c == 0xf0 && s[i + 1] < 0x90) || (c == 0xf4 && s[i + 1] > 0x8f)) return i;
        i += more + 1;
    }
    return i;
}

/* A string: text, bytes if it is not UTF-8, cut if it is longer than the limit. */
static int string_value(const char *s, size_t n, int type) {
    if ((long)n > value_bytes) return value_row(TRUNCATED, (int64_t)n, 0.0, type, "str", 3);
    return value_row(utf8_length((const unsigned char *)s, n) == n ? STR : BYTES, 0, 0.0, type, s, n);
}
