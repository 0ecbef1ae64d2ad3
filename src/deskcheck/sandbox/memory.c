/* A zygote's free memory, used up before it forks: what its children allocate lies together then.

   After its imports a zygote's heap is full of holes, a block here and a chunk there. A child takes from the
   holes first, and every one lies in a page that it shares with the zygote and must copy at the first touch:
   two hundred copies of four kilobytes for some hundred kilobytes of objects. So the holes are allocated and
   never given back, in Python's allocator and in malloc's, until what comes is fresh. What is fresh comes in
   one piece, and the next program uses the same pages again. Nothing depends on it but time. */
#include "batch.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <unistd.h>
#endif

#define STEP 16
#define LARGEST_BLOCK 512 /* larger ones are malloc's */
#define RUN_BYTES 8192    /* blocks in a row of so many bytes come from a pool that was empty */
#define MOST_BYTES (4 << 20)
#define LARGEST_CHUNK ((64 << 10) + 24)

static void
fill_blocks(size_t size)
{
    char *run[RUN_BYTES / STEP];
    size_t n = 0, wanted = RUN_BYTES / size;
    for (size_t taken = 0; n < wanted && taken < MOST_BYTES; taken += size) {
        char *block = PyObject_Malloc(size);
        if (block == NULL) {
            return;
        }
        if (n > 0 && block != run[n - 1] + size) {
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
    char *top = (char *)sbrk(0) - mallinfo2().keepcost;
    for (size_t size = LARGEST_CHUNK; size >= 24; size -= STEP) {
        for (size_t taken = 0; taken < MOST_BYTES; taken += size) {
            char *chunk = malloc(size);
            if (chunk == NULL) {
                return;
            }
            if (chunk >= top) {
                free(chunk);
                break;
            }
        }
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
