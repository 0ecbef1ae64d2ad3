/* The summary of a numpy array that lies in one piece, kept up to date without Python.
 *
 * The reader in Python (summaries/numpy.py) describes an array at first sight and says by `layout` how it lies in
 * memory. From then on its bytes are compared with a copy; where they differ, the same text is written here: data
 * type and shape, the first items, and the CRC-32 of the bytes that are compared. An array that lies otherwise than
 * it did, or with other numbers than those below, goes to Python again.
 *
 *   array_look()    an array of more items than its text shows: the text is a row of the trace, and no object
 *   array_read()    a smaller one: the text is an object, since one text can begin with the other
 *
 * The CRC is linear: that of the new bytes is that of the old ones, xor that of the difference alone, moved to its
 * place. So a write of one item costs the same in any array, beside the comparison at the speed of memory.
 */
#include "values.h"

#define MOST_DIMENSIONS 8
#define MOST_ITEMS 8
#define MOST_TEXT 640
#define PAGE 4096
#define BLOCK 64
#define MOST_KEPT (16 << 20) /* bytes of all copies; further arrays are read by Python */
#define POLYNOMIAL 0xedb88320u
#define N_LOW 2048 /* arrays of fewer bytes need one product */
#define N_HIGH 129

/* The beginning of numpy's PyArrayObject, the same in its versions 1 and 2; `array_keep` compares it with `layout`. */
typedef struct {
    PyObject_HEAD
    char *data;
    int n_dimensions;
    Py_ssize_t *shape, *strides;
    PyObject *base, *descr;
} NumpyArray;

/* In `entry->bytes`, followed by the copy. References are held by `entry->memo`; `text` is NULL of a larger array. */
typedef struct {
    char *data;
    PyObject *descr, *text;
    int n_dimensions;
    Py_ssize_t shape[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
    Py_ssize_t n_bytes, n_items; /* compared bytes; items of the whole array */
    int size, is_cut, n_head, n_shown; /* of an item; whether it is longer; letters of `line`: head, and all of it */
    char kind;
    uint32_t crc;
    int32_t row; /* of the shown letters; ABSENT: none yet */
    uint64_t hash; /* of the same */
    char line[MOST_TEXT]; /* "int64 (3,): 1, 2, 3", and room for the end of the text */
} Array;

static PyObject *array_name, *text_name;
static uint32_t slices[8][256], nibbles[16], low[N_LOW], high[N_HIGH];

/* ------------------------------------------------------------------ CRC-32 */

static inline uint32_t
times_x(uint32_t a)
{
    return (a >> 1) ^ (POLYNOMIAL & (0u - (a & 1)));
}

/* The product of two polynomials, the highest power in the lowest bit; four bits of `a` at a time. */
static uint32_t
times(uint32_t a, uint32_t b)
{
    uint32_t of[16], product = 0;
    of[0] = 0;
    of[8] = b;
    of[4] = times_x(of[8]);
    of[2] = times_x(of[4]);
    of[1] = times_x(of[2]);
    for (int i = 3; i < 16; i++) {
        of[i] = of[i & (i - 1)] ^ of[i & -i];
    }
    for (int k = 0; k < 32; k += 4) {
        product = (product >> 4) ^ nibbles[product & 15] ^ of[a >> k & 15];
    }
    return product;
}

static void
make_tables(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) {
            crc = times_x(crc);
        }
        slices[0][i] = crc;
    }
    for (uint32_t i = 0; i < 16; i++) {
        nibbles[i] = times_x(times_x(times_x(times_x(i))));
    }
    for (int k = 1; k < 8; k++) {
        for (int i = 0; i < 256; i++) {
            slices[k][i] = (slices[k - 1][i] >> 8) ^ slices[0][slices[k - 1][i] & 255];
        }
    }
    low[0] = high[0] = 1u << 31;
    uint32_t byte = 1u << 23; /* x to the power of 8 */
    for (int i = 1; i < N_LOW; i++) {
        low[i] = times(low[i - 1], byte);
    }
    uint32_t block = times(low[N_LOW - 1], byte);
    for (int i = 1; i < N_HIGH; i++) {
        high[i] = times(high[i - 1], block);
    }
}

/* Of bytes behind others that gave `crc`, without the inversions at the beginning and the end. */
static uint32_t
crc_of(uint32_t crc, const unsigned char *bytes, Py_ssize_t n)
{
    for (; n >= 8; n -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
#if PY_BIG_ENDIAN
        word = __builtin_bswap64(word);
#endif
        word ^= crc;
        crc = slices[7][word & 255] ^ slices[6][word >> 8 & 255] ^ slices[5][word >> 16 & 255] ^ slices[4][word >> 24 & 255] ^
              slices[3][word >> 32 & 255] ^ slices[2][word >> 40 & 255] ^ slices[1][word >> 48 & 255] ^ slices[0][word >> 56];
    }
    for (; n > 0; n--) {
        crc = (crc >> 8) ^ slices[0][(crc ^ *bytes++) & 255];
    }
    return crc;
}

/* ------------------------------------------------------------------ text */

/* Write a whole number in decimal. The number of letters; sprintf() takes ten times as long. */
static int
write_number(char *line, uint64_t size, int is_negative)
{
    char digits[24];
    int n = 0;
    do {
        digits[n++] = (char)('0' + size % 10);
        size /= 10;
    } while (size);
    if (is_negative) {
        digits[n++] = '-';
    }
    for (int i = 0; i < n; i++) {
        line[i] = digits[n - 1 - i];
    }
    return n;
}

static int
write_real(char *line, const char *item, int size)
{
    double number;
    float single;
    if (size == 4) {
        memcpy(&single, item, 4);
        number = single;
    }
    else {
        memcpy(&number, item, 8);
    }
    char *text = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (text == NULL) {
        return -1;
    }
    int n = (int)strlen(text);
    memcpy(line, text, (size_t)n);
    PyMem_Free(text);
    return n;
}

static int
write_item(char *line, const char *item, char kind, int size)
{
    if (kind == 'b') {
        memcpy(line, *item ? "True" : "False", 5);
        return *item ? 4 : 5;
    }
    if (kind == 'f') {
        return write_real(line, item, size);
    }
    uint64_t bits = 0;
#if PY_BIG_ENDIAN
    memcpy((char *)&bits + 8 - size, item, (size_t)size);
#else
    memcpy(&bits, item, (size_t)size);
#endif
    int unused = 64 - 8 * size;
    int64_t number = (int64_t)(bits << unused) >> unused;
    int is_negative = kind != 'u' && number < 0;
    return write_number(line, is_negative ? 0 - (uint64_t)number : bits, is_negative);
}

/* Write the first items behind the head of the line. 0, or -1 with an exception. */
static int
write_items(Array *array, const char *bytes)
{
    char *at = array->line + array->n_head;
    for (Py_ssize_t i = 0; i < array->n_items && i < MOST_ITEMS; i++) {
        *at++ = i == 0 ? ':' : ',';
        *at++ = ' ';
        int n = write_item(at, bytes + i * array->size, array->kind, array->size);
        if (n < 0) {
            return -1;
        }
        at += n;
    }
    if (array->n_items > MOST_ITEMS) {
        memcpy(at, ", \xe2\x80\xa6", 5);
        at += 5;
    }
    array->n_shown = (int)(at - array->line);
    array->row = ABSENT;
    array->hash = values_hash(array->line, array->n_shown);
    return 0;
}

/* Write the end behind the items, as UTF-8. The number of bytes of the whole text. */
static Py_ssize_t
write_end(Array *array)
{
    static const char end[] = "; content ........, of the first 256 KiB";
    char *at = array->line + array->n_shown;
    size_t n = array->is_cut ? sizeof(end) - 1 : 18;
    memcpy(at, end, n);
    for (int i = 0; i < 8; i++) {
        at[10 + i] = "0123456789abcdef"[(array->crc ^ 0xffffffffu) >> (28 - 4 * i) & 15];
    }
    return array->n_shown + (Py_ssize_t)n;
}

/* ------------------------------------------------------------------ arrays */

static inline int
is_same_word(const char *a, const char *b)
{
    uint64_t x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x == y;
}

/* Two words at a time, wherever they lie: a call of memcmp() costs more than the comparison of 64 bytes. */
typedef uint64_t Words __attribute__((vector_size(16), aligned(1), may_alias));

static inline int
is_same_block(const char *a, const char *b)
{
    const Words *x = (const Words *)a, *y = (const Words *)b;
    Words differences = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
    return (differences[0] | differences[1]) == 0;
}

/* Take over the bytes that differ, and write their items anew. 1; 0 if none does; -1 with an exception. */
static int
take_over(Array *array)
{
    char *known = (char *)(array + 1);
    const char *now = array->data;
    Py_ssize_t first = 0, end = array->n_bytes;
    while (end - first > PAGE && memcmp(known + first, now + first, PAGE) == 0) {
        first += PAGE;
    }
    while (end - first > BLOCK && is_same_block(known + first, now + first)) {
        first += BLOCK;
    }
    while (end - first >= 8 && is_same_word(known + first, now + first)) {
        first += 8;
    }
    while (end - first > PAGE && memcmp(known + end - PAGE, now + end - PAGE, PAGE) == 0) {
        end -= PAGE;
    }
    while (end - first > BLOCK && is_same_block(known + end - BLOCK, now + end - BLOCK)) {
        end -= BLOCK;
    }
    while (end - first >= 8 && is_same_word(known + end - 8, now + end - 8)) {
        end -= 8;
    }
    if (end - first < 8 && memcmp(known + first, now + first, (size_t)(end - first)) == 0) {
        return 0;
    }
    if (array->n_items > MOST_ITEMS && (end - first) * 4 > array->n_bytes) {
        memcpy(known + first, now + first, (size_t)(end - first));
        array->crc = crc_of(0xffffffffu, (unsigned char *)known, array->n_bytes);
    }
    else {
        for (Py_ssize_t i = first; i < end; i++) {
            known[i] ^= now[i];
        }
        Py_ssize_t rest = array->n_bytes - end;
        uint32_t crc = crc_of(0, (unsigned char *)known + first, end - first);
        crc = times(low[rest % N_LOW], crc);
        array->crc ^= rest < N_LOW ? crc : times(high[rest / N_LOW], crc);
        memcpy(known + first, now + first, (size_t)(end - first));
    }
    if (first < MOST_ITEMS * array->size && write_items(array, known) < 0) {
        return -1;
    }
    return 1;
}

void
array_drop(Tracer *t, Entry *entry)
{
    if (entry->shape->is_summary && entry->bytes != NULL) {
        t->heap.array_bytes -= ((Array *)entry->bytes)->n_bytes;
    }
    PyMem_RawFree(entry->bytes);
    entry->bytes = NULL;
}

/* Whether an array lies where and as it did; if not, its copy goes. */
static int
lies_still(Tracer *t, Entry *entry, PyObject *value)
{
    const Array *array = (Array *)entry->bytes;
    const NumpyArray *now = (NumpyArray *)value;
    size_t width = sizeof(Py_ssize_t) * (size_t)array->n_dimensions;
    if (now->data != array->data || now->descr != array->descr || now->n_dimensions != array->n_dimensions ||
        memcmp(now->shape, array->shape, width) != 0 || memcmp(now->strides, array->strides, width) != 0) {
        array_drop(t, entry);
        return 0;
    }
    t->n_compared += array->n_bytes / 64;
    return 1;
}

int
array_look(Tracer *t, Entry *entry, PyObject *value, int32_t *handle)
{
    Array *array = (Array *)entry->bytes;
    if (array == NULL || array->n_items <= MOST_ITEMS || entry->attributes.n != 1 || !lies_still(t, entry, value)) {
        return 0;
    }
    int result = take_over(array);
    if (result > 0) {
        Py_ssize_t n = write_end(array);
        *handle = array->n_shown < CONCAT_FROM + 2 /* the dots are one letter of three bytes */
                      ? values_utf8(t, array->line, n, array->hash, array->n_shown)
                      : values_parted(t, array->line, n, &array->row, array->hash, array->n_shown);
        result = *handle < 0 ? -1 : 1;
    }
    return result < 0 ? -1 : 1;
}

int
array_read(Tracer *t, Entry *entry, PyObject *value, PyObject **text)
{
    Array *array = (Array *)entry->bytes;
    if (array == NULL || !lies_still(t, entry, value)) {
        return 0;
    }
    if (array->n_items > MOST_ITEMS) { /* what is known of its attributes is not what `array_look` goes on from */
        array_drop(t, entry);
        return 0;
    }
    int result = take_over(array);
    if (result > 0) {
        PyObject *now = PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, array->line, array->n_shown);
        result = now == NULL ? -1 : PyDict_SetItem(entry->memo, text_name, now);
        array->text = now;
        Py_XDECREF(now);
    }
    *text = array->text;
    return result < 0 ? -1 : 1;
}

int
array_keep(Tracer *t, Entry *entry, PyObject *value, PyObject *text)
{
    PyObject *layout = PyDict_GetItemWithError(entry->memo, array_name), *descr, *head;
    unsigned long long address;
    Py_ssize_t n_items, n_bytes;
    int size, kind;
    if (layout == NULL || !PyTuple_CheckExact(layout) || entry->bytes != NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    if (!PyArg_ParseTuple(layout, "KnniCOU", &address, &n_items, &n_bytes, &size, &kind, &descr, &head)) {
        return -1;
    }
    const NumpyArray *now = (NumpyArray *)value;
    const char *letters = PyUnicode_AsUTF8(head);
    if (letters == NULL) {
        return -1;
    }
    if (now->data != (char *)(uintptr_t)address || now->descr != descr || now->n_dimensions < 0 ||
        now->n_dimensions > MOST_DIMENSIONS || strlen(letters) > MOST_TEXT / 2 ||
        t->heap.array_bytes + n_bytes > MOST_KEPT) {
        return 0;
    }
    Array *array = PyMem_RawCalloc(1, sizeof(Array) + (size_t)n_bytes);
    if (array == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    entry->bytes = (char *)array;
    t->heap.array_bytes += n_bytes;
    array->data = now->data;
    array->descr = descr;
    array->n_dimensions = now->n_dimensions;
    memcpy(array->shape, now->shape, sizeof(Py_ssize_t) * (size_t)now->n_dimensions);
    memcpy(array->strides, now->strides, sizeof(Py_ssize_t) * (size_t)now->n_dimensions);
    array->n_bytes = n_bytes;
    array->n_items = n_items;
    array->is_cut = n_items * size > n_bytes;
    array->size = size;
    array->kind = (char)kind;
    array->n_head = sprintf(array->line, "%s", letters);
    memcpy(array + 1, now->data, (size_t)n_bytes);
    array->crc = crc_of(0xffffffffu, (unsigned char *)(array + 1), n_bytes);
    if (n_items <= MOST_ITEMS) {
        array->text = text;
        if (PyDict_SetItem(entry->memo, text_name, text) < 0) {
            return -1;
        }
    }
    return write_items(array, (char *)(array + 1));
}

int
arrays_ready(void)
{
    make_tables();
    array_name = PyUnicode_InternFromString("array");
    text_name = PyUnicode_InternFromString("text");
    return array_name == NULL || text_name == NULL ? -1 : 0;
}
