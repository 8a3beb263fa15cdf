internal import Glibc

package enum Signal: CaseIterable, Sendable {
    case interrupt, terminate, hangup, quit, kill, child, broken

    package var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangup: SIGHUP
        case .quit: SIGQUIT
        case .kill: SIGKILL
        case .child: SIGCHLD
        case .broken: SIGPIPE
        }
    }

    /// Keeps these signals from ending the process, so that `next` can take them one by one.
    ///
    /// Threads inherit it: to be called before the first one is started.
    package static func hold(_ signals: [Signal]) {
        var set = sigset(of: signals)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Lets these signals end the process, held or not, while a body runs that waits for something else, such as a person.
    package static func letting<Result>(_ signals: [Signal], _ body: () -> Result) -> Result {
        var (set, before) = (sigset(of: signals), sigset_t())
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }

    /// The next of these held signals, or nil where none came in time.
    package static func next(of signals: [Signal], within duration: Duration) -> Signal? {
        var set = sigset(of: signals)
        var limit = timespec(duration)
        let number = unsafe sigtimedwait(&set, nil, &limit)
        return signals.first { $0.number == number }
    }

    /// Whether the process was started with this signal ignored, as `nohup` does.
    package var isIgnored: Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
    }

    /// Takes back that a parent ignored the ends of its children, which would make ours vanish unseen.
    package static func noticeChildren() {
        Glibc.signal(SIGCHLD, SIG_DFL)
    }

    /// Lets a closed pipe be an error of the write instead of the end of the process.
    package static func ignoreBrokenPipes() {
        Glibc.signal(SIGPIPE, SIG_IGN)
    }

    static func sigset(of signals: [Signal]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal.number) }
        return set
    }
}

extension timespec {
    /// Nothing below zero, and at most a day.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(86_400)).components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
