// epoll, which Swift's module of the C library leaves out.
#ifndef CEPOLL_SHIM_H
#define CEPOLL_SHIM_H

#include <sys/epoll.h>

#endif
