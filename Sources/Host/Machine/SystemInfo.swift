internal import Glibc

package enum SystemInfo {
    /// The processors that this process may use: those of its CPU affinity, within the CPU quota of its control groups.
    package static var cores: Int {
        UsableProcessors { path in
            do throws(HostError) { return String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self) } catch { return nil }
        }.count(ofOnline: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Runs nothing more, whatever other threads are doing.
    ///
    /// No exit handlers either: OpenSSL's frees what a thread that is ending, or one that is at work, frees or reads as well, and no thread is
    /// ever joined. Nothing is lost by it, as all that is written goes to its descriptor at once.
    package static func exitAtOnce(_ code: Int32) -> Never { Glibc._exit(code) }

    package static var processID: Int32 { getpid() }

    /// How many files and sockets this process may hold open: as it is, and as far as it may raise it.
    package static var openFileLimit: (soft: Int, hard: Int) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return (0, 0) }
        return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
    }

    /// Lets this process hold open as many as it may, whatever the shell that started it thought enough.
    package static func raiseOpenFileLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
    }

    /// Gives the calling thread the processor only when nobody else wants it; here each thread has a priority of its own.
    package static func lowerPriority() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }

    package static var environment: [String: String] {
        var result: [String: String] = [:]
        guard var entry = unsafe Optional(environ) else { return result }
        while let line = unsafe entry.pointee {
            let text = unsafe String(cString: line)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                result[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return result
    }

    /// Microseconds since 1970 by the wall clock.
    package static var wallClock: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
