/* Where the lines of a code object stand, and which can follow which. */
#ifndef DESKCHECK_FLOW_H
#define DESKCHECK_FLOW_H

#include "../core/core.h"

/* The next unsigned number of a location table; moves `*at` behind it. */
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

/* The next signed number of a location table; moves `*at` behind it. */
static inline int
signed_varint(const unsigned char **at)
{
    unsigned value = varint(at);
    return value & 1 ? -(int)(value >> 1) : (int)(value >> 1);
}

/* The next entry of a location table (Objects/locations.md): so many units stand on the line `here`, -1: on none. */
static inline int
next_lines(const unsigned char **at, int *line, int *here)
{
    int first = *(*at)++, form = (first >> 3) & 15;
    if (form == 13 || form == 14) {
        *line += signed_varint(at);
    }
    else if (form >= 10 && form <= 12) {
        *line += form - 10;
    }
    if (form == 14) {
        varint(at);
        varint(at);
        varint(at);
    }
    else {
        *at += form < 10 ? 1 : form < 13 ? 2 : 0;
    }
    *here = form == 15 ? -1 : *line;
    return (first & 7) + 1;
}

/* An entry of an exception table (Objects/exception_handling_notes.txt): what units it guards, where they go on. */
typedef struct {
    unsigned start, n, target, depth_and_lasti;
} Handler;

/* The next one; 0 where there is none, or only a part of one. */
static inline int
next_handler(const unsigned char **at, const unsigned char *end, Handler *found)
{
    unsigned value[4];
    for (int i = 0; i < 4; i++) {
        unsigned byte = 64;
        for (value[i] = 0; byte & 64; value[i] = value[i] << 6 | (byte & 63)) {
            if (*at >= end) {
                return 0;
            }
            byte = *(*at)++;
        }
    }
    *found = (Handler){value[0], value[1], value[2], value[3]};
    return 1;
}

/* equal_code.c */
/* 1 if two code objects were compiled from equal source, nested ones included, else 0. Borrowed references; sets no
   exception. */
int is_equal_code(PyCodeObject *a, PyCodeObject *b);
/* 1 if the code object is one of `bodies` (a tuple) or inside one, else 0. Borrowed references; sets no exception. */
int is_compiled(PyObject *bodies, PyCodeObject *code);

/* names.c */
/* Once per process and opcode: whether the instruction of this name uses global names; cannot fail. */
void names_note(int op, const char *name);

/* line_flow.c */
/* 1 if the name is one of the words, which are separated by blanks, else 0. */
int listed(const char *name, const char *words);
/* The pairs of lines that can follow each other. Their number, with `*pairs` owned by the caller (PyMem_RawFree);
   -1 with an exception. */
int line_flow(PyCodeObject *code, int32_t **pairs);
/* Once per process and opcode: whether the instruction of this name jumps back, or ends a way; cannot fail. */
void line_flow_note(int op, const char *name);
/* Once per process: the opcode is a jump; cannot fail. */
void line_flow_note_jump(int op);

#endif
