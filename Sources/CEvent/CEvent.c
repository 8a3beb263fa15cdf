#include "CEvent.h"

#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

_Static_assert(CEVENT_READABLE == EV_READ && CEVENT_WRITABLE == EV_WRITE, "libevent's own numbers");

struct event_base *cevent_base_new(void) {
    struct event_config *configuration = event_config_new();
    if (!configuration) return 0;
    event_config_set_flag(configuration, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_IGNORE_ENV | EVENT_BASE_FLAG_NO_CACHE_TIME);
    struct event_base *base = event_base_new_with_config(configuration);
    event_config_free(configuration);
    return base;
}

void cevent_base_free(struct event_base *base) { event_base_free(base); }

void cevent_base_poll(struct event_base *base, int waits) { event_base_loop(base, waits ? EVLOOP_ONCE : EVLOOP_ONCE | EVLOOP_NONBLOCK); }

struct event *cevent_new(
    struct event_base *base, int descriptor, short interest, int is_edge, void (*callback)(int, short, void *), void *argument) {
    return event_new(base, descriptor, interest | EV_PERSIST | (is_edge ? EV_ET : 0), callback, argument);
}

int cevent_add(struct event *event) { return event_add(event, 0); }

void cevent_remove(struct event *event) { event_del(event); }

void cevent_free(struct event *event) { event_free(event); }

int cevent_is_open(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Initial-exec, because any other TLS model calls into the dynamic linker.
static _Thread_local int64_t simulated __attribute__((tls_model("initial-exec")));
static _Thread_local int64_t kept __attribute__((tls_model("initial-exec")));

void cevent_simulate_clock(int64_t nanoseconds) { simulated = nanoseconds; }

int64_t cevent_clock(void) { return simulated ? simulated : nanoseconds(CLOCK_MONOTONIC); }

int64_t cevent_clock_keep(void) { return simulated ? simulated : (kept = nanoseconds(CLOCK_MONOTONIC_COARSE)); }

int64_t cevent_clock_kept(void) { return simulated ? simulated : kept ? kept : nanoseconds(CLOCK_MONOTONIC_COARSE); }

void cevent_clock_forget(void) { kept = 0; }

static _Thread_local int32_t loop_index __attribute__((tls_model("initial-exec")));

void cevent_set_loop_index(int32_t index) { loop_index = index; }

int32_t cevent_loop_index(void) { return loop_index; }

int cevent_wakeup_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cevent_wakeup_send(int descriptor) { (void)eventfd_write(descriptor, 1); }

int cevent_alarm_open(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

int cevent_alarm_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec time = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &time, 0);
}

int cevent_signals_open(const int32_t *numbers, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, numbers[i]);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int32_t cevent_signals_next(int descriptor) {
    struct signalfd_siginfo info;
    return read(descriptor, &info, sizeof info) == sizeof info ? (int32_t)info.ssi_signo : 0;
}

void cevent_name_thread(const char *name) { (void)prctl(PR_SET_NAME, name, 0, 0, 0); }
