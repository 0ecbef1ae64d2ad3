/* The library calls that the recorder makes itself: memory of malloc, and what a program prints.

New memory has a pattern, so what was never assigned is told apart. Memory is counted: more than the limit ends the run.

Included by record.c alone. */

#include <malloc.h>

static long n_out;

static void *new_block(size_t size, int byte) {
    if (size > (size_t)most.memory_bytes || memory_used + (long)size > most.memory_bytes) stop(BY_MEMORY);
    size_t wanted = size ? size : 1;
    char *p = malloc(wanted);
    if (p == NULL) stop(BY_MEMORY);
    memset(p, byte, wanted);
    memory_used += (long)size;
    if (is_checking) return p;
    struct place *block = insert_block(p, size);
    block->object = new_object(RECORD, 4);
    return p;
}
/* Take the contents of an object away; the object stays, so that what refers to it can be told. */
static void empty_object(const struct place *block) {
    const struct dk_type *t = type_of(block->type);
    if (is_text(block->type)) push_change(CONTENT, block->object, -1, -1, SET, plain_value(UNINITIALIZED, 0, t->name));
    else if (t->kind == DK_ARRAY)
        for (int i = (int)(block->size / type_of(t->to)->size) - 1; i >= 0; i--) push_change(ELEMENT, block->object, -1, i, DELETE, -1);
    else
        for (int i = 0; i < t->n; i++) push_change(ATTRIBUTE, block->object, name_handle(program.fields[t->first + i].name), -1, DELETE, -1);
}
/* Record anew every pointer into the block that is being freed. */
static void forget_pointers(void) {
    for (int i = 0; i < n_vars; i++) {
        struct place *v = &vars[i];
        if (v->size && (v->object >= 0 || is_stale(v->type, v->address))) changed(v);
    }
    for (int i = 0; i < n_heap; i++) if (heap[i].type >= 0) changed(&heap[i]);
}
/* malloc: new memory with the pattern; beyond the limit the run ends. */
void *dk_malloc(size_t size) { return new_block(size, pattern); }
/* calloc: memory of zeros, NULL if the size has no number. */
void *dk_calloc(size_t n, size_t size) {
    if (size && n > SIZE_MAX / size) return NULL;
    return new_block(n * size, 0);
}
/* free: a FREE event; pointers into the block are recorded as freed. */
void dk_free(void *address) {
    if (address == NULL) return;
    if (is_checking) { memory_used -= (long)malloc_usable_size(address); free(address); return; }
    compare();
    int at = by_address(address);
    if (at < 0 || heap[at].address != address || heap[at].name >= 0) { failure = "free of no block of malloc"; unwind(failure); }
    struct place block = heap[at];
    if (block.type >= 0) empty_object(&block);
    freed_low = block.address, freed_high = block.address + (block.size ? block.size : 1);
    memory_used -= (long)block.size;
    memmove(heap + at, heap + at + 1, (size_t)(n_heap - at - 1) * sizeof *heap);
    n_heap--;
    forget_pointers();
    freed_low = freed_high = NULL;
    push_event(FREED, top()->number, top()->line, reference(block.object));
    if (block.size > SMALL) free(block.shadow);
    free(address);
}
/* realloc: always another block, of the type of the old one. */
void *dk_realloc(void *address, size_t size) {
    if (address == NULL) return dk_malloc(size);
    if (is_checking) {
        memory_used += (long)size - (long)malloc_usable_size(address);
        if (memory_used > most.memory_bytes) stop(BY_MEMORY);
        return realloc(address, size);
    }
    int at = by_address(address);
    if (at < 0 || heap[at].address != address) { failure = "realloc of no block of malloc"; unwind(failure); }
    size_t before = heap[at].size;
    int type = heap[at].type;
    char *p = dk_malloc(size);
    memcpy(p, address, before < size ? before : size);
    dk_free(address);
    if (type >= 0 && type_of(type)->kind == DK_ARRAY) give_type(&heap[by_address(p)], type_of(type)->to);
    return p;
}
/* strdup: a copy in a block of malloc. */
char *dk_strdup(const char *text) {
    size_t n = strlen(text) + 1;
    return memcpy(dk_malloc(n), text, n);
}

/* qsort: the library's, whose calls of the program do not count for its course. */
void dk_qsort(void *first, size_t n, size_t size, int (*less)(const void *, const void *)) {
    calls_back++;
    qsort(first, n, size, less);
    calls_back--;
}
/* bsearch: the library's, as qsort. */
void *dk_bsearch(const void *key, const void *first, size_t n, size_t size, int (*less)(const void *, const void *)) {
    calls_back++;
    void *at = bsearch(key, first, n, size, less);
    calls_back--;
    return at;
}

static void print(const char *text, long n) {
    if (n_out + n > most.output_bytes) stop(BY_OUTPUT);
    passed(2, (uint64_t)n);
    if (is_checking || n == 0) { n_out += n; return; }
    memcpy(grow(&columns[OUT_TEXT], (size_t)n), text, (size_t)n);
    n_out += n;
    put64(OUT_AT, n_events), put64(OUT_AT, n_out);
}
/* printf: returns the number of bytes, as the library's does. */
int dk_printf(const char *form, ...) {
    va_list values, again;
    va_start(values, form);
    va_copy(again, values);
    int n = vsnprintf(NULL, 0, form, again);
    va_end(again);
    if (n >= 0) {
        char *text = malloc((size_t)n + 1);
        if (text == NULL) stop(BY_MEMORY);
        vsnprintf(text, (size_t)n + 1, form, values);
        print(text, n);
        free(text);
    }
    va_end(values);
    return n;
}
/* putchar: returns the character that was printed. */
int dk_putchar(int c) { char one = (char)c; print(&one, 1); return (unsigned char)c; }
/* puts: prints a line and returns a number that is no error. */
int dk_puts(const char *text) { print(text, (long)strlen(text)); print("\n", 1); return 1; }
