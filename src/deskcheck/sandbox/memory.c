/* A zygote's free memory, used up before it forks: what its children allocate lies together then.

   After its imports a zygote's heap is full of holes, a block here and a chunk there. A child takes from the
   holes first, and each lies in a page that it shares with the zygote and must copy when it first writes there:
   two hundred copies of four kilobytes for some hundred kilobytes of objects. So the holes are allocated and
   never given back, in Python's allocator and in malloc's, until what comes is fresh. What is fresh comes in
   one piece, and the next program uses the same pages again. Nothing but time depends on it. */
#include "batch.h"

#include <stddef.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <unistd.h>
#endif

#define STEP 16
#define LARGEST_BLOCK 512 /* larger ones are malloc's */
#define RUN_BYTES 8192    /* blocks in a row of so many bytes come from a pool that was empty */
#define HEAD_BYTES 64     /* that an allocator may put between two of them */
#define MOST_BYTES (2 << 20)
#define LARGEST_CHUNK ((64 << 10) + 24)

static void
fill_blocks(size_t size)
{
    char *run[RUN_BYTES / STEP];
    size_t n = 0, wanted = RUN_BYTES / size;
    ptrdiff_t stride = 0;
    for (size_t taken = 0; n < wanted && taken < MOST_BYTES; taken += size) {
        char *block = PyObject_Malloc(size);
        if (block == NULL) {
            return;
        }
        ptrdiff_t apart = n > 0 ? block - run[n - 1] : 0;
        if (n == 1 && apart >= (ptrdiff_t)size && apart <= (ptrdiff_t)size + HEAD_BYTES) {
            stride = apart;
        }
        else if (n > 0 && (n == 1 || apart != stride)) {
            n = 0; /* those before were in holes: they stay taken */
        }
        run[n++] = block;
    }
    while (n > 0) {
        PyObject_Free(run[--n]);
    }
}

static void
fill_chunks(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 found = mallinfo2();
    char *top = (char *)sbrk(0) - found.keepcost;
    size_t room = found.fordblks - found.keepcost + MOST_BYTES; /* small ones that were freed last count as taken */
    for (size_t size = LARGEST_CHUNK; size >= 24; size -= STEP) {
        char *chunk = malloc(size);
        while (chunk != NULL && chunk < top && size < room) {
            room -= size;
            chunk = malloc(size);
        }
        free(chunk); /* it is the first that no hole was left for */
    }
#endif
}

void
fill_holes(void)
{
    for (size_t size = STEP; size <= LARGEST_BLOCK; size += STEP) {
        fill_blocks(size);
    }
    fill_chunks();
}
