// epoll, which Swift's Glibc module omits.
#ifndef CEPOLL_SHIM_H
#define CEPOLL_SHIM_H

#include <sys/epoll.h>

#endif
