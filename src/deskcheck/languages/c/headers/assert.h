#ifndef DK_ASSERT
#define DK_ASSERT
void dk_failed(const char *text, int line);
#define assert(test) ((test) ? (void)0 : dk_failed(#test, __LINE__))
#endif
