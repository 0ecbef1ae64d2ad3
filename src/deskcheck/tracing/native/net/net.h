/* Whether what is alive is what the trace says. */
#ifndef DESKCHECK_NET_H
#define DESKCHECK_NET_H

#include "../writes/writes.h"

/* In about a nanosecond: the budget at first, what a step adds to it; what a comparison costs, an object, a list in it. */
enum { NET_FIRST = 4000, NET_STEP = 3, NET_ALL = 60, NET_OBJECT = 80, NET_LIST = 8 };

/* net.c */
/* At a step: compare everything that is alive with the trace, if the budget allows it. 0, or -1 with an exception. */
int net_step(Tracer *t);
/* The same when a frame is left, always at the last one. 0, or -1 with an exception. */
int net_leave(Tracer *t, Frame *frame);

#endif
