internal import EventLoop
internal import Glibc
internal import Host

struct ResolvedAddress: Sendable {
    let family: Int32
    private let storage: sockaddr_storage
    private let length: socklen_t

    /// Returns the addresses of a name, in the order in which to try them.
    static func all(of host: String, port: Int, on loop: EventLoop, until deadline: Deadline) async throws(HTTPClientError)
        -> [ResolvedAddress]
    {
        // A numeric address resolves immediately; looking up a name blocks a thread.
        if case .success(let numeric) = resolve(host, port, flags: AI_NUMERICHOST), !numeric.isEmpty { return numeric }
        let lookup: Lookup
        do throws(HostError) {
            lookup = try Lookup()
            try Thread.start { lookup.finish(resolve(host, port, flags: AI_ADDRCONFIG)) }
        } catch { throw HTTPClientError(.system, at: host, "\(error)") }
        do throws(EventLoopError) {
            try await loop.wait(for: .readable, on: lookup.pipe.reading.number, until: deadline, named: "http client: look up a name")
        } catch { throw HTTPClientError(error, at: host) }
        switch lookup.result.withLock({ $0 }) {
        case .success(let addresses)? where !addresses.isEmpty: return addresses
        case .failure(let failure)?: throw HTTPClientError(.unresolved, at: host, failure.reason)
        default: throw HTTPClientError(.unresolved, at: host)
        }
    }

    static func unix(_ path: String) -> ResolvedAddress {
        var address = UnixAddress(path)
        return unsafe address.withPointer { unsafe ResolvedAddress(AF_UNIX, $0, $1) }
    }

    private init(_ family: Int32, _ pointer: UnsafePointer<sockaddr>, _ length: socklen_t) {
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { target in
            let count = min(target.count, Int(length))
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: count))
        }
        self.family = family
        self.storage = storage
        self.length = length
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    // MARK: Names

    private struct Failure: Error {
        let reason: String
    }

    /// The result of a lookup on another thread, and a descriptor that becomes readable with it.
    private final class Lookup: Sendable {
        let pipe: Pipe
        let result = Locked<Result<[ResolvedAddress], Failure>?>(nil)

        init() throws(HostError) { pipe = try Pipe() }

        func finish(_ result: Result<[ResolvedAddress], Failure>) {
            self.result.withLock { $0 = result }
            // If the waiting task is gone, no task reads the result.
            do throws(HostError) { try pipe.writing.write([0], subject: "a pair of sockets") } catch {}
        }
    }

    private static func resolve(_ host: String, _ port: Int, flags: Int32) -> Result<[ResolvedAddress], Failure> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { return .failure(Failure(reason: unsafe String(cString: gai_strerror(status)))) }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [ResolvedAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.ai_addr {
                addresses.append(unsafe ResolvedAddress(entry.pointee.ai_family, address, entry.pointee.ai_addrlen))
            }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }
}
