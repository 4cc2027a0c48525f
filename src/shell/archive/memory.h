/*
 * Where zlib and libbz2 take their memory from: zlib the arena of the call, which takes
 * it back whole; libbz2, whose blocks are large and many in a row, the heap.
 */
#ifndef TC_SHELL_ARCHIVE_MEMORY_H
#define TC_SHELL_ARCHIVE_MEMORY_H

#include <bzlib.h>
#include <zlib.h>

#include "toolcrib/arena.h"

void tc_archive_memory_zlib(z_stream *z, struct tc_arena *arena);
/* The stream must be ended, by BZ2_bz…End. */
void tc_archive_memory_bzip2(bz_stream *bz);

#endif
