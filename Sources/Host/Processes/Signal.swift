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

    /// Blocks these signals, so that they do not end the process and `next` can receive them.
    ///
    /// Call it before the first thread is started, because threads inherit the mask.
    package static func hold(_ signals: [Signal]) {
        var set = sigset(of: signals)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Unblocks these signals while `body` waits, for example for input, so that they end the process.
    package static func letting<Result>(_ signals: [Signal], _ body: () -> Result) -> Result {
        var (set, before) = (sigset(of: signals), sigset_t())
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }

    /// Returns the next of these blocked signals, or nil after the duration.
    package static func next(of signals: [Signal], within duration: Duration) -> Signal? {
        var set = sigset(of: signals)
        var limit = timespec(duration)
        let number = unsafe sigtimedwait(&set, nil, &limit)
        return signals.first { $0.number == number }
    }

    /// Whether the process was started with this signal ignored, for example by `nohup`.
    package var isIgnored: Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
    }

    /// Restores the default handling of SIGCHLD. If a parent ignored it, exit statuses of children would be lost.
    package static func noticeChildren() {
        Glibc.signal(SIGCHLD, SIG_DFL)
    }

    /// Makes a write to a closed pipe fail with an error instead of ending the process.
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
    /// Converts a duration, limited to between zero and one day.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(86_400)).components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
