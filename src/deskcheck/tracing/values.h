/* What values.c and texts.c share. */
#ifndef DESKCHECK_VALUES_H
#define DESKCHECK_VALUES_H

#include "core.h"

int values_table_grow(Tracer *t, HandleTable *table, uint64_t (*hash_of)(Tracer *, int32_t));
int32_t values_type_name(Tracer *t, int32_t *index, const char *name);
int32_t values_truncated_scalar(Tracer *t, const char *what, int64_t size);

static inline uint64_t
mixed(uint64_t h)
{
    h ^= h >> 32; /* floats of few digits have their bits at the top */
    h *= 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 32);
}

/* Where the table has room for one more. */
static inline int
table_room(Tracer *t, HandleTable *table, uint64_t (*hash_of)(Tracer *, int32_t))
{
    if (LIKELY(table->slots != NULL && table->n * 3 < table->mask * 2)) {
        return 0;
    }
    return values_table_grow(t, table, hash_of);
}

#endif
