#ifndef DK_STDIO
#define DK_STDIO
#include <stddef.h>
int printf(const char *form, ...);
int putchar(int c);
int puts(const char *text);
int snprintf(char *to, size_t n, const char *form, ...);
int sprintf(char *to, const char *form, ...);
#endif
