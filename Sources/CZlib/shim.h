// The deflate and inflate functions of zlib. Functions replace the macros that initialize a stream.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// Starts a deflate stream with the header and checksum of gzip.
static inline int czlib_begin_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

// Starts a deflate stream with the header and checksum of zlib.
static inline int czlib_begin_zlib(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY);
}

// Starts an inflate stream that accepts only gzip.
static inline int czlib_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
