#define _GNU_SOURCE
#include "CSocket.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>

// Linux 6.3 and later can be set to refuse files that could be executed. Earlier ones do not know the flag.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

int csocket_accept(int listener, struct sockaddr_storage *address, socklen_t *length) {
    *length = sizeof *address;
    return accept4(listener, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int csocket_create_memory_file(const char *name) {
    int file = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    return file >= 0 ? file : memfd_create(name, MFD_CLOEXEC);
}

int csocket_remove_pages(int file, off_t offset, off_t count) {
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count);
}

void csocket_return_memory(void) { malloc_trim(0); }
