#ifndef CSOCKET_H
#define CSOCKET_H

#include <sys/socket.h>

// The next connection of a listening socket, non-blocking and not inherited by children; negative with errno where there is none.
// Declared by the C library only for those who ask for GNU's extensions.
int csocket_accept(int listener, struct sockaddr_storage *address, socklen_t *length);

#endif
