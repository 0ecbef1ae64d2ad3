/* What check.c and packing.c give to the module. */
#ifndef DESKCHECK_CHECK_H
#define DESKCHECK_CHECK_H

extern PyMethodDef deskcheck_check_methods[];
extern PyMethodDef deskcheck_packing_methods[];

#endif
