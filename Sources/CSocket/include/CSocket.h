#ifndef CSOCKET_H
#define CSOCKET_H

#include <sys/socket.h>
#include <sys/types.h>

// Accepts the next connection of a listening socket. The socket is nonblocking and closed on exec. Returns a negative
// value and sets errno if no connection is pending.
// The C library declares accept4, memfd_create and fallocate only if _GNU_SOURCE is defined.
int csocket_accept(int listener, struct sockaddr_storage *address, socklen_t *length);

// Creates a file in memory without a path. It is closed on exec. Returns a negative value if the system refuses it.
int csocket_create_memory_file(const char *name);

// Removes whole pages from a file. A page that a socket is still sending keeps its bytes, and the file never shows it
// again. Returns a negative value on failure.
int csocket_remove_pages(int file, off_t offset, off_t count);

// Returns the free memory of malloc to the system. Swift does not import its header.
void csocket_return_memory(void);

#endif
