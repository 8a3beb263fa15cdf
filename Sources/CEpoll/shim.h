// epoll, which Swift's Glibc module omits.
#ifndef CEPOLL_SHIM_H
#define CEPOLL_SHIM_H

#include <sys/epoll.h>

// Waits for some nanoseconds, which epoll_wait cannot.
static inline int epoll_wait_nanoseconds(int queue, struct epoll_event *events, int count, long nanoseconds) {
    struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return epoll_pwait2(queue, events, count, &timeout, 0);
}

#endif
