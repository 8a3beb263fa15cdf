// The core of libevent, and the Linux descriptors that Swift's Glibc module omits.
//
// This header declares only plain numbers and opaque pointers. Debian's <event2/event-config.h> defines _GNU_SOURCE,
// which changes the fields of system types such as fd_set. A module that includes it does not compile together with
// Swift's Glibc module.
#ifndef CEVENT_H
#define CEVENT_H

#include <stdint.h>

struct event;
struct event_base;

enum { CEVENT_READABLE = 2, CEVENT_WRITABLE = 4 };

/// Returns NULL and sets errno if the system call fails. There is no lock, so only one thread at a time may use a base.
struct event_base *cevent_base_new(void);
void cevent_base_free(struct event_base *base);

/// Calls back for every ready descriptor. With `waits`, waits for the first one.
void cevent_base_poll(struct event_base *base, int waits);

/// With `is_edge`, the event reports once for each change; otherwise it reports as long as the descriptor is ready.
struct event *cevent_new(
    struct event_base *base, int descriptor, short interest, int is_edge, void (*callback)(int, short, void *), void *argument);
/// Returns a nonzero value and sets errno if the system call fails.
int cevent_add(struct event *event);
void cevent_remove(struct event *event);
void cevent_free(struct event *event);

int cevent_is_open(int descriptor);

/// The nanoseconds of CLOCK_MONOTONIC.
int64_t cevent_clock(void);
/// Reads the nanoseconds of the last tick of CLOCK_MONOTONIC, and keeps them for the calling thread.
int64_t cevent_clock_keep(void);
/// The nanoseconds that were kept last. Reads the last tick if none are kept.
int64_t cevent_clock_kept(void);
void cevent_clock_forget(void);
/// Sets both clocks of the calling thread to a fixed time. 0 returns to the system's clocks.
void cevent_simulate_clock(int64_t nanoseconds);

/// The index of the loop of the calling thread. 0 unless it was set.
int32_t cevent_loop_index(void);
void cevent_set_loop_index(int32_t index);

int cevent_wakeup_open(void);
void cevent_wakeup_send(int descriptor);

int cevent_alarm_open(void);
/// Fires once at a time of CLOCK_MONOTONIC above 0, or immediately if that time has passed.
int cevent_alarm_set(int descriptor, int64_t nanoseconds);

int cevent_signals_open(const int32_t *numbers, int count);
/// Returns the number of the next signal, or 0 if none is pending.
int32_t cevent_signals_next(int descriptor);

/// The system keeps only the first 15 bytes.
void cevent_name_thread(const char *name);

#endif
