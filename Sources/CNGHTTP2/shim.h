// The HTTP/2 sessions of nghttp2. Functions and constants give its enumerations the integer types that callers need.
#ifndef CNGHTTP2_SHIM_H
#define CNGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

static inline int cnghttp2_is_end_of_stream(const nghttp2_frame *frame) { return (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0; }

static inline int cnghttp2_is_request(const nghttp2_frame *frame) {
    return frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
}

static inline int cnghttp2_is_data_or_headers(const nghttp2_frame *frame) {
    return frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
}

static inline int cnghttp2_submit_settings(nghttp2_session *session, uint32_t streams, uint32_t window, uint32_t header_bytes) {
    nghttp2_settings_entry entries[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streams},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, header_bytes},
    };
    return nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, entries, 3);
}

static const uint32_t cnghttp2_no_copy = NGHTTP2_DATA_FLAG_NO_COPY;
static const uint32_t cnghttp2_end = NGHTTP2_DATA_FLAG_EOF;

#endif
