// zlib's deflate and inflate. Their beginnings are macros there and functions here.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// With the head and the check sum of gzip around the stream.
static inline int czlib_begin_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

// What has that head and check sum, and nothing else.
static inline int czlib_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
