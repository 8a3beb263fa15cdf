// The Brotli decoder.
#ifndef CBROTLIDECODER_SHIM_H
#define CBROTLIDECODER_SHIM_H

#include <brotli/decode.h>

#endif
