/* What check.c gives to the module. */
#ifndef DESKCHECK_CHECK_H
#define DESKCHECK_CHECK_H

extern PyMethodDef deskcheck_check_methods[];

#endif
