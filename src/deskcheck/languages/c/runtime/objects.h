/* Memory of the program as objects: places that are registered, a copy of each, and what differs from it.

A place is a variable or a block of malloc. An array or a structure is an object; those inside it have the numbers that
follow, in their order, so the object at an offset is found by counting. A pointer to the beginning of an object refers to
it; one into it is an object `pointer(to, at)`; one to a scalar variable is a text. The type of a block of malloc
is that of the first pointer to it that is not void.

Included by record.c alone. */

/* One registered piece of memory. */
struct place {
    char *address;
    size_t size;
    char *shadow;       /* what was recorded last, unless it fits `inside` */
    char inside[16];
    int type;           /* -1: a block of malloc without a type */
    int object, below;  /* its object, and the number of the first one inside; -1: a scalar */
    int name;           /* number of its name; -1 = none */
    int frame;          /* -1: global */
    int flags;
    int handle;         /* value of a scalar, or the reference */
    char is_fresh;      /* declared and never assigned */
};
enum { SMALL = sizeof ((struct place *)0)->inside, FEW = 8 };
static inline char *copy_of(struct place *p) { return p->size <= SMALL ? p->inside : p->shadow; }
static struct dk_tables program;
static struct place *vars, *heap; /* variables in order of declaration; blocks by address */
static int n_vars, vars_room, n_heap, heap_room;
static int *exposed, n_exposed, exposed_room; /* numbers of variables that code elsewhere may change */
static int n_objects, max_objects;
static int *name_handles;
static const char *freed_low, *freed_high; /* block that is being freed */

static const struct dk_type *type_of(int type) { return &program.types[type]; }
static int name_handle(int name) {
    if (name_handles[name] < 0) name_handles[name] = value_row(STR, 0, 0.0, 1, program.names[name], strlen(program.names[name]));
    return name_handles[name];
}
static int is_container(int type) { return type_of(type)->kind == DK_ARRAY || type_of(type)->kind == DK_STRUCT; }
static int is_text(int type) { return type_of(type)->kind == DK_ARRAY && type_of(type_of(type)->to)->kind == DK_CHAR; }

/* Number of objects in a value of a type, itself included. */
static int objects_in(int type, size_t size) {
    const struct dk_type *t = type_of(type);
    int n = 1;
    if (t->kind == DK_ARRAY && is_container(t->to)) n += (int)(size / type_of(t->to)->size) * objects_in(t->to, type_of(t->to)->size);
    if (t->kind == DK_STRUCT)
        for (int i = 0; i < t->n; i++) {
            int inner = program.fields[t->first + i].type;
            if (is_container(inner)) n += objects_in(inner, type_of(inner)->size);
        }
    return n;
}
static int new_object(int kind, int type_name) {
    if (++n_objects > max_objects) stop(BY_NODES);
    put8(O_KIND, kind), put32(O_TYPE, type_name), put32(O_TEXT, 0);
    return n_objects - 1;
}
/* Make the objects of a value; `root` >= 0: the outermost one exists. Return the number of the first one made. */
static int make_objects(int type, size_t size, int root) {
    int before = n_objects;
    const struct dk_type *t = type_of(type);
    int kind = t->kind == DK_ARRAY && !is_text(type) ? LIST : RECORD;
    if (root < 0) new_object(kind, t->name);
    else columns[O_KIND].at[root] = (char)kind, ((int32_t *)columns[O_TYPE].at)[root] = t->name;
    if (t->kind == DK_ARRAY && is_container(t->to))
        for (size_t i = 0; i < size / type_of(t->to)->size; i++) make_objects(t->to, type_of(t->to)->size, -1);
    for (int i = 0; t->kind == DK_STRUCT && i < t->n; i++) {
        int inner = program.fields[t->first + i].type;
        if (is_container(inner)) make_objects(inner, type_of(inner)->size, -1);
    }
    return before;
}
static int reference(int object) { return plain_value(REF, object, ((int32_t *)columns[O_TYPE].at)[object]); }

/* ------------------------------------------------------------ pointers */

static int by_address(const char *p) { /* number of the last block at or before an address, -1 if none */
    int low = 0, high = n_heap;
    while (low < high) { int mid = (low + high) / 2; if (heap[mid].address <= p) low = mid + 1; else high = mid; }
    return low - 1;
}
static struct place *place_at(const char *p) {
    for (int past = 0; past < 2; past++) { /* one past the end only if nothing else begins there */
        int b = by_address(p);
        if (b >= 0 && p < heap[b].address + heap[b].size + past) return &heap[b];
        for (int i = n_exposed - 1; i >= 0; i--) {
            struct place *v = &vars[exposed[i]];
            if (p >= v->address && p < v->address + v->size + past) return v;
        }
    }
    return NULL;
}
static void give_type(struct place *block, int type);

static struct made_pointer { int object, key, number; } *pointers;
static int n_pointers, pointers_room;

/* The object `pointer(to, at)`; one for each place that is pointed to. */
static int pointer_into(int object, int key) {
    for (int i = n_pointers - 1; i >= 0; i--)
        if (pointers[i].object == object && pointers[i].key == key) return reference(pointers[i].number);
    if (n_pointers == pointers_room) {
        pointers_room = pointers_room ? 2 * pointers_room : 64;
        pointers = realloc(pointers, (size_t)pointers_room * sizeof *pointers);
    }
    int number = new_object(RECORD, 2);
    pointers[n_pointers++] = (struct made_pointer){object, key, number};
    push_change(ATTRIBUTE, number, value_row(STR, 0, 0.0, 1, "to", 2), -1, SET, reference(object));
    push_change(ATTRIBUTE, number, value_row(STR, 0, 0.0, 1, "at", 2), -1, SET, key);
    return reference(number);
}
static int is_pointee(int type, int wanted) {
    const struct dk_type *t = type_of(type), *w = type_of(wanted);
    return type == wanted || w->kind == DK_VOID || (t->kind < DK_ARRAY && w->kind < DK_ARRAY && t->size == w->size);
}
/* The value of a pointer into an object of a type, at an offset. */
static int pointer_inside(int type, size_t size, size_t offset, int wanted, int object, int below) {
    const struct dk_type *t = type_of(type);
    if (offset == 0 && (type == wanted || type_of(wanted)->kind == DK_VOID)) return reference(object);
    if (t->kind == DK_ARRAY) {
        size_t width = type_of(t->to)->size, i = offset / width, rest = offset % width;
        if (rest == 0 && (i >= size / width || is_pointee(t->to, wanted) || !is_container(t->to)))
            return i == 0 ? reference(object) : pointer_into(object, plain_value(INT, (int64_t)i, 3));
        if (!is_container(t->to)) return opaque_value("address inside of an element", 2);
        int step = objects_in(t->to, width), inner = below + (int)i * step;
        return pointer_inside(t->to, width, rest, wanted, inner, inner + 1);
    }
    int inner = below;
    for (int i = 0; i < t->n; i++) {
        const struct dk_field *f = &program.fields[t->first + i];
        size_t width = type_of(f->type)->size;
        if (offset >= f->offset && offset < f->offset + width) {
            if (!is_container(f->type)) return pointer_into(object, name_handle(f->name));
            return pointer_inside(f->type, width, offset - f->offset, wanted, inner, inner + 1);
        }
        if (is_container(f->type)) inner += objects_in(f->type, width);
    }
    return pointer_into(object, plain_value(INT, (int64_t)(size / type_of(type)->size), 3));
}
static int address_of_variable(const struct place *v) {
    char text[200];
    if (v->frame < 0) snprintf(text, sizeof text, "address of %s", program.names[v->name]);
    else snprintf(text, sizeof text, "address of %s in frame %d", program.names[v->name], v->frame);
    return opaque_value(text, 2);
}
static int pointer_value(const char *p, int type) {
    const struct dk_type *t = type_of(type);
    if (p == NULL) return plain_value(NONE, 0, t->name);
    if (p >= freed_low && p < freed_high) return opaque_value("freed", 2);
    if (type_of(t->to)->kind == DK_FUNCTION) {
        for (int i = 0; i < program.n_functions; i++)
            if (program.functions[i].address == (const void *)p) return opaque_value(program.functions[i].name, 2);
        return opaque_value("function", 2);
    }
    struct place *place = place_at(p);
    if (place != NULL) {
        if (place->type < 0 && type_of(t->to)->kind != DK_VOID) give_type(place, t->to);
        if (place->object < 0) return address_of_variable(place);
        if (place->type < 0) return reference(place->object);
        return pointer_inside(place->type, place->size, (size_t)(p - place->address), t->to, place->object, place->below);
    }
    if (p >= program.low && p < program.high && type_of(t->to)->kind == DK_CHAR)
        return string_value(p, strnlen(p, (size_t)(program.high - p)), t->name);
    return opaque_value("address of no known memory", 2);
}

/* ------------------------------------------------------------ values in memory */

static int is_pattern(const char *p, size_t n) { /* what dk_var and our malloc put into memory without a value */
    for (size_t i = 0; i < n; i++) if ((unsigned char)p[i] != pattern) return 0;
    return 1;
}
static int scalar_value(int type, const char *p) {
    const struct dk_type *t = type_of(type);
    union { int8_t i1; int16_t i2; int32_t i4; int64_t i8; uint8_t u1; uint16_t u2; uint32_t u4; uint64_t u8; float f; double d; long double l; char *p; } v;
    memcpy(&v, p, t->size < sizeof v ? t->size : sizeof v);
    switch (t->kind) {
    case DK_INT: return plain_value(INT, t->size == 1 ? v.i1 : t->size == 2 ? v.i2 : t->size == 4 ? v.i4 : v.i8, t->name);
    case DK_UNSIGNED: {
        uint64_t u = t->size == 1 ? v.u1 : t->size == 2 ? v.u2 : t->size == 4 ? v.u4 : v.u8;
        if (u <= INT64_MAX) return plain_value(INT, (int64_t)u, t->name);
        char text[20];
        return value_row(INT, 0, 0.0, t->name, text, (size_t)snprintf(text, sizeof text, "0x%llx", (unsigned long long)u));
    }
    case DK_CHAR: return plain_value(CHAR, v.i1, t->name);
    case DK_BOOL: return v.u1 > 1 ? plain_value(UNINITIALIZED, 0, t->name) : plain_value(BOOL, v.u1, t->name);
    case DK_FLOAT: return value_row(FLOAT, 0, (double)v.f, t->name, NULL, 0);
    case DK_DOUBLE: return value_row(FLOAT, 0, v.d, t->name, NULL, 0);
    case DK_LONG_DOUBLE: return value_row(FLOAT, 0, (double)v.l, t->name, NULL, 0);
    case DK_POINTER: return pointer_value(v.p, type);
    }
    return plain_value(NONE, 0, t->name);
}
static int part_value(int type, const char *p) { /* of an element or a field */
    size_t size = type_of(type)->size;
    return is_pattern(p, size) ? plain_value(UNINITIALIZED, 0, type_of(type)->name) : scalar_value(type, p);
}
static int text_value(int type, const char *p, size_t size) {
    size_t n = strnlen(p, size);
    const char *unset = memchr(p, pattern, n); /* a text that is being written ends there */
    if (size == 0 || unset == p) return plain_value(UNINITIALIZED, 0, type_of(type)->name);
    return string_value(p, unset ? (size_t)(unset - p) : n, type_of(type)->name);
}
/* Record the contents of new objects. */
static void fill(int type, const char *p, size_t size, int object, int below) {
    const struct dk_type *t = type_of(type);
    if (is_text(type)) { push_change(CONTENT, object, -1, -1, SET, text_value(type, p, size)); return; }
    if (t->kind == DK_ARRAY) {
        size_t width = type_of(t->to)->size;
        int step = is_container(t->to) ? objects_in(t->to, width) : 0;
        for (size_t i = 0; i < size / width; i++) {
            int inner = below + (int)i * step;
            push_change(ELEMENT, object, -1, (int)i, INSERT, step ? reference(inner) : part_value(t->to, p + i * width));
            if (step) fill(t->to, p + i * width, width, inner, inner + 1);
        }
        return;
    }
    int inner = below;
    for (int i = 0; t->kind == DK_STRUCT && i < t->n; i++) {
        const struct dk_field *f = &program.fields[t->first + i];
        int has_objects = is_container(f->type);
        push_change(ATTRIBUTE, object, name_handle(f->name), -1, SET, has_objects ? reference(inner) : part_value(f->type, p + f->offset));
        if (has_objects) {
            fill(f->type, p + f->offset, type_of(f->type)->size, inner, inner + 1);
            inner += objects_in(f->type, type_of(f->type)->size);
        }
    }
}
static int is_stale(int type, const char *p) { /* a pointer into the block that is being freed */
    if (freed_low == NULL || type_of(type)->kind != DK_POINTER) return 0;
    const char *to;
    memcpy(&to, p, sizeof to);
    return to >= freed_low && to < freed_high;
}
/* Record an array of scalars that has moved by one element as a removal and an insertion, if more than a few elements differ. */
static int has_moved(int to, const char *p, const char *old, size_t n, int object) {
    size_t width = type_of(to)->size, rest = (n - 1) * width, differing = 0;
    for (size_t i = 0; i < n && differing < FEW; i++) differing += memcmp(p + i * width, old + i * width, width) != 0;
    if (differing < FEW) return 0;
    int is_left = !memcmp(p, old + width, rest);
    if (!is_left && memcmp(p + width, old, rest)) return 0;
    int last = (int)n - 1;
    push_change(ELEMENT, object, -1, is_left ? 0 : last, DELETE, -1);
    push_change(ELEMENT, object, -1, is_left ? last : 0, INSERT, part_value(to, is_left ? p + rest : p));
    return 1;
}
/* Record what differs from the copy. */
static void differ(int type, const char *p, const char *old, size_t size, int object, int below) {
    const struct dk_type *t = type_of(type);
    if (is_text(type)) {
        int now = text_value(type, p, size); /* bytes after the end do not count */
        if (now != text_value(type, old, size)) push_change(CONTENT, object, -1, -1, SET, now);
        return;
    }
    if (t->kind == DK_ARRAY) {
        size_t width = type_of(t->to)->size, n = size / width;
        int step = is_container(t->to) ? objects_in(t->to, width) : 0;
        if (!step && !freed_low && n >= FEW && has_moved(t->to, p, old, n, object)) return;
        for (size_t i = 0; i < n; i++) {
            if (!freed_low && i % 16 == 0 && i + 16 <= n && !memcmp(p + i * width, old + i * width, 16 * width)) { i += 15; continue; }
            if (!memcmp(p + i * width, old + i * width, width) && !is_stale(t->to, p + i * width) && !(step && freed_low)) continue;
            int inner = below + (int)i * step;
            if (step) differ(t->to, p + i * width, old + i * width, width, inner, inner + 1);
            else push_change(ELEMENT, object, -1, (int)i, SET, part_value(t->to, p + i * width));
        }
        return;
    }
    int inner = below;
    for (int i = 0; t->kind == DK_STRUCT && i < t->n; i++) {
        const struct dk_field *f = &program.fields[t->first + i];
        size_t width = type_of(f->type)->size;
        int has_objects = is_container(f->type);
        if (memcmp(p + f->offset, old + f->offset, width) || is_stale(f->type, p + f->offset) || (has_objects && freed_low)) {
            if (has_objects) differ(f->type, p + f->offset, old + f->offset, width, inner, inner + 1);
            else push_change(ATTRIBUTE, object, name_handle(f->name), -1, SET, part_value(f->type, p + f->offset));
        }
        if (has_objects) inner += objects_in(f->type, width);
    }
}
