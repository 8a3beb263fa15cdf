internal import Glibc

package enum SystemInfo {
    /// The number of processors that this process may use, within its CPU affinity and the CPU quota of its control
    /// groups.
    package static var cores: Int {
        UsableProcessors { path in
            do throws(HostError) { return String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self) } catch { return nil }
        }.count(ofOnline: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Exits immediately, regardless of other threads.
    ///
    /// It runs no exit handlers: OpenSSL's would free memory that other threads still use, and threads are never
    /// joined. No output is lost, because all of it is written to its descriptor directly.
    package static func exitAtOnce(_ code: Int32) -> Never { Glibc._exit(code) }

    package static var processID: Int32 { getpid() }

    /// The soft and hard limits of open files and sockets of this process.
    package static var openFileLimit: (soft: Int, hard: Int) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return (0, 0) }
        return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
    }

    /// Raises the soft limit of open files to the hard limit.
    package static func raiseOpenFileLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
    }

    /// Lowers the calling thread to the lowest priority. On Linux each thread has its own priority.
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

    /// The time of the wall clock in microseconds since 1970.
    package static var wallClock: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
