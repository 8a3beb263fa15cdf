#ifndef CSOCKET_H
#define CSOCKET_H

#include <sys/socket.h>

// Accepts the next connection of a listening socket. The socket is nonblocking and closed on exec. Returns a negative
// value and sets errno if no connection is pending.
// The C library declares accept4 only if _GNU_SOURCE is defined.
int csocket_accept(int listener, struct sockaddr_storage *address, socklen_t *length);

#endif
