/* Whether what is alive is what the trace says. */
#ifndef DESKCHECK_NET_H
#define DESKCHECK_NET_H

#include "../writes/writes.h"

/* In about a nanosecond: the budget at first, what a step adds to it; what a comparison costs, an object, a list in it. */
enum { NET_FIRST = 4000, NET_STEP = 3, NET_ALL = 60, NET_OBJECT = 80, NET_LIST = 8 };

/* net.c */
int net_step(Tracer *t);
int net_leave(Tracer *t, Frame *frame);

#endif
