// libevent's core, and the Linux descriptors that Swift's Glibc module leaves out.
//
// Only plain numbers and opaque pointers show here. Debian's <event2/event-config.h> defines _GNU_SOURCE, under which system types such as
// fd_set have other members than in Swift's Glibc module; a module that includes it does not compile beside that one.
#ifndef CEVENT_H
#define CEVENT_H

#include <stdint.h>

struct event;
struct event_base;

enum { CEVENT_READABLE = 2, CEVENT_WRITABLE = 4 };

/// Nil, with errno set, where the system refuses. To be used by one thread at a time: there is no lock.
struct event_base *cevent_base_new(void);
void cevent_base_free(struct event_base *base);

/// Calls back for every descriptor that is ready; waits for one first where `waits`.
void cevent_base_poll(struct event_base *base, int waits);

/// Reports once for each change where `is_edge`, else for as long as the descriptor is ready.
struct event *cevent_new(
    struct event_base *base, int descriptor, short interest, int is_edge, void (*callback)(int, short, void *), void *argument);
/// Not 0, with errno set, where the system refuses.
int cevent_add(struct event *event);
void cevent_remove(struct event *event);
void cevent_free(struct event *event);

int cevent_is_open(int descriptor);

/// Nanoseconds of CLOCK_MONOTONIC, and those of its last tick.
int64_t cevent_clock(void);
int64_t cevent_clock_coarse(void);
/// Sets both clocks for the calling thread alone, where they stand still from then on; 0 returns to the system's.
void cevent_simulate_clock(int64_t nanoseconds);

int cevent_wakeup_open(void);
void cevent_wakeup_send(int descriptor);

int cevent_alarm_open(void);
/// Fires once at a time of CLOCK_MONOTONIC above 0, at once where that has passed.
int cevent_alarm_set(int descriptor, int64_t nanoseconds);

int cevent_signals_open(const int32_t *numbers, int count);
/// The number of the next signal, or 0 where none is pending.
int32_t cevent_signals_next(int descriptor);

/// The system keeps the first 15 bytes.
void cevent_name_thread(const char *name);

#endif
