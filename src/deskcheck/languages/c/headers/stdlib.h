#ifndef DK_STDLIB
#define DK_STDLIB
#include <stddef.h>
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *address, size_t size);
void free(void *address);
void exit(int code);
void abort(void);
int abs(int n);
long labs(long n);
long long llabs(long long n);
int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
void qsort(void *first, size_t n, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *first, size_t n, size_t size, int (*compare)(const void *, const void *));
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
