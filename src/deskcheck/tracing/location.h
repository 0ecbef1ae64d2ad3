/* Numbers of a code object's location table (CPython's Objects/locations.md): six bits a byte, the lowest first. */
#ifndef DESKCHECK_LOCATION_H
#define DESKCHECK_LOCATION_H

#include "core.h"

static inline unsigned
varint(const unsigned char **at)
{
    unsigned byte = *(*at)++, value = byte & 63, shift = 0;
    while (byte & 64) {
        byte = *(*at)++;
        shift += 6;
        value |= (byte & 63) << shift;
    }
    return value;
}

static inline int
signed_varint(const unsigned char **at)
{
    unsigned value = varint(at);
    return value & 1 ? -(int)(value >> 1) : (int)(value >> 1);
}

#endif
