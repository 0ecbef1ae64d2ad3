/* The columns of a trace by number, in the order of deskcheck.buffers.COLUMNS, and their groups. */
#ifndef DESKCHECK_COLUMNS_H
#define DESKCHECK_COLUMNS_H

enum {
    FRAME_CODE, FRAME_PARENT,
    KIND, STEP, FRAME, LINE, VALUE, CHANGES_END, THREAD, END_LINE, COLUMN, END_COLUMN, OFFSET, OPCODE,
    PLACE, OWNER, KEY, INDEX, OPERATION, CHANGED,
    VALUE_KIND, NUMBER, REAL, DATA, VALUE_TYPE,
    OBJECT_KIND, OBJECT_TYPE, OBJECT_TEXT,
    N_COLUMNS
};
static const unsigned char width_of[N_COLUMNS] = {
    4, 4, 1, 8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 4, 4, 4, 1, 4, 1, 8, 8, 1, 4, 1, 4, 4,
};
enum { FRAMES, EVENTS, CHANGES, VALUES, OBJECTS, N_GROUPS };
static const unsigned char group_of[N_COLUMNS] = {
    0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4,
};

#endif
