/* Where the lines of a code object stand, and which can follow which. */
#ifndef DESKCHECK_FLOW_H
#define DESKCHECK_FLOW_H

#include "../core/core.h"

static inline unsigned
varint(const unsigned char **at)
{
    unsigned byte = *(*at)++, value = byte & 63, shift = 0;
    while (byte & 64) {
        byte = *(*at)++;
        shift += 6;
        value |= (byte & 63) << shift;
    }
    return value;
}

static inline int
signed_varint(const unsigned char **at)
{
    unsigned value = varint(at);
    return value & 1 ? -(int)(value >> 1) : (int)(value >> 1);
}

/* line_flow.c */
int listed(const char *name, const char *words);
int line_flow(PyCodeObject *code, int32_t **pairs);
void line_flow_note(int op, const char *name);
void line_flow_note_jump(int op);

#endif
