internal import EventLoop
internal import Glibc
internal import HTTPMessages
internal import Host
internal import Security

/// A connection to a server that carries one request at a time. It belongs to the task that uses it.
final class OutboundConnection {
    private let transport: any Transport
    private let loop: EventLoop
    let serverAddress: String
    /// The received bytes that are not consumed yet.
    private(set) var input: [UInt8] = []
    /// Whether any bytes have arrived since the last request.
    private(set) var hasHeard = false

    private init(_ transport: any Transport, on loop: EventLoop, at address: String) {
        self.transport = transport
        self.loop = loop
        self.serverAddress = address
    }

    deinit { transport.finish() }

    // MARK: Connecting

    /// Tries the addresses in order, each within its own timeout.
    static func connect(
        to server: ServerURL, _ encryption: TLSContext?, on loop: EventLoop, within timeout: Duration, until deadline: Deadline
    ) async throws(HTTPClientError) -> OutboundConnection {
        let addresses: [ResolvedAddress]
        switch server.endpoint {
        case .unix(let path): addresses = [.unix(path)]
        case .tcp(let host, let port): addresses = try await ResolvedAddress.all(of: host, port: port, on: loop, until: deadline)
        }
        var failure = HTTPClientError(.unreachable, at: server.name)
        for address in addresses {
            let limit = min(deadline, .after(timeout))
            do throws(HTTPClientError) {
                let transport = try await transport(to: address, of: server, encryption, on: loop, until: limit)
                let connection = OutboundConnection(transport, on: loop, at: server.name)
                return connection
            } catch {
                guard error.code == .refused || error.code == .unreachable || error.code == .timedOut else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private static func transport(
        to address: ResolvedAddress, of server: ServerURL, _ encryption: TLSContext?, on loop: EventLoop, until deadline: Deadline
    ) async throws(HTTPClientError) -> any Transport {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(address.family, kind, 0)
        guard number >= 0 else { throw HTTPClientError(.system, at: server.name, HostError(errnoOf: "open", "a socket").description) }
        let socket = Descriptor(owning: number)
        var yes: Int32 = 1
        if address.family != AF_UNIX {
            _ = unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        if unsafe address.withPointer({ unsafe Glibc.connect(number, $0, $1) }) != 0 {
            var code = errno
            if code == EINPROGRESS {
                try await wait(for: .writable, on: number, loop, server.name, until: deadline)
                var length = socklen_t(MemoryLayout<Int32>.size)
                if unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length) != 0 { code = errno }
            }
            guard code == 0 else { throw failure(code, at: server.name) }
        }
        guard let encryption, case .tcp(let host, _) = server.endpoint else { return PlainTransport(socket) }
        guard let transport = TLSTransport(socket, encryption, of: host) else {
            throw HTTPClientError(.notEncrypted, at: server.name, "the host name is invalid")
        }
        while true {
            switch transport.prepare() {
            case .moved: return transport
            case .blocked(let readiness): try await wait(for: readiness, on: number, loop, server.name, until: deadline)
            case .ended, .failed:
                if let reason = transport.verificationFailure { throw HTTPClientError(.untrusted, at: server.name, reason) }
                throw HTTPClientError(.notEncrypted, at: server.name, "the handshake failed")
            }
        }
    }

    private static func failure(_ code: Int32, at address: String) -> HTTPClientError {
        let error = HostError(.init(rawValue: code), "connect to", address)
        return switch code {
        case ECONNREFUSED, ENOENT: HTTPClientError(.refused, at: address)
        case ETIMEDOUT: HTTPClientError(.timedOut, at: address)
        default: HTTPClientError(.unreachable, at: address, error.reason)
        }
    }

    private static func wait(
        for readiness: Readiness, on number: Int32, _ loop: EventLoop, _ address: String, until deadline: Deadline
    ) async throws(HTTPClientError) {
        do throws(EventLoopError) {
            try await loop.wait(for: readiness, on: number, until: deadline, named: "http client")
        } catch { throw HTTPClientError(error, at: address) }
    }

    // MARK: Exchanging

    func exchange(
        _ bytes: [UInt8], isBodyless: Bool, _ limits: HTTPClientLimits, until deadline: Deadline
    ) async throws(HTTPClientError) -> ReceivedResponse {
        hasHeard = false
        // Bytes before the request are not a response to it.
        guard input.isEmpty else { throw HTTPClientError(.malformed, at: serverAddress, "it sent a response without a request") }
        try await send(bytes, until: deadline)
        return try await receiveResponse(isBodyless: isBodyless, limits, until: deadline)
    }

    /// Skips interim responses before it.
    func receiveResponse(isBodyless: Bool, _ limits: HTTPClientLimits, until deadline: Deadline) async throws(HTTPClientError)
        -> ReceivedResponse
    {
        var head = try await self.head(isBodyless, limits, until: deadline)
        while head.status.rawValue < 200 {
            guard head.status.rawValue != 101 else {
                throw HTTPClientError(.malformed, at: serverAddress, "it switched to another protocol")
            }
            head = try await self.head(isBodyless, limits, until: deadline)
        }
        let body = try await self.body(head.framing, limits.bodyBytes, until: deadline)
        return ReceivedResponse(head: head, body: body, isReusable: head.keepsAlive && input.isEmpty)
    }

    /// Returns the response to a request, and whether another request may follow.
    struct ReceivedResponse {
        let head: ResponseHead
        let body: [UInt8]
        var isReusable: Bool
    }

    func send(_ bytes: [UInt8], until deadline: Deadline) async throws(HTTPClientError) {
        var sent = 0
        while sent < bytes.count {
            let progress = unsafe bytes.withUnsafeBytes { buffer in
                let start = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)
                var vector = unsafe iovec(iov_base: start.map { unsafe $0 + sent }, iov_len: buffer.count - sent)
                return unsafe withUnsafeMutablePointer(to: &vector) { pointer in
                    unsafe transport.write(UnsafeMutableBufferPointer(start: pointer, count: 1))
                }
            }
            switch progress {
            case .moved(let count): sent += count
            case .blocked(let readiness): try await wait(for: readiness, until: deadline)
            case .ended, .failed: throw HTTPClientError(.ended, at: serverAddress)
            }
        }
    }

    private func wait(for readiness: Readiness, until deadline: Deadline) async throws(HTTPClientError) {
        try await Self.wait(for: readiness, on: transport.descriptor, loop, serverAddress, until: deadline)
    }

    /// Receives the next bytes. Returns false at the end.
    func receive(until deadline: Deadline) async throws(HTTPClientError) -> Bool {
        while true {
            switch receiveBytes() {
            case .moved:
                hasHeard = true
                return true
            case .ended: return false
            case .failed: throw HTTPClientError(.ended, at: serverAddress)
            case .blocked(let readiness): try await wait(for: readiness, until: deadline)
            }
        }
    }

    /// Whether unread bytes have arrived, or the connection has ended.
    var hasInput: Bool {
        if !input.isEmpty { return true }
        if case .blocked = receiveBytes() { return false }
        return true
    }

    /// Discards the bytes before the rest.
    func forget(_ count: Int) { input.removeFirst(count) }

    private func receiveBytes() -> TransportProgress {
        unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            let progress = unsafe transport.read(into: buffer)
            if case .moved(let count) = progress { unsafe input.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return progress
        }
    }

    func head(
        _ isBodyless: Bool, _ limits: HTTPClientLimits, until deadline: Deadline
    ) async throws(HTTPClientError) -> ResponseHead {
        var reader = ResponseHeadReader(limits.head, isBodyless: isBodyless)
        while true {
            let bytes = input
            switch reader.read(bytes.span) {
            case .head(let head, let count):
                input.removeFirst(count)
                return head
            case .refused(let error): throw HTTPClientError(error, at: serverAddress)
            case .incomplete: guard try await receive(until: deadline) else { throw HTTPClientError(.ended, at: serverAddress) }
            }
        }
    }

    private func body(_ framing: ResponseFraming, _ limit: Int, until deadline: Deadline) async throws(HTTPClientError) -> [UInt8] {
        let excess = HTTPClientError(.tooLarge, at: serverAddress, "the body has more than \(limit) bytes")
        switch framing {
        case .none: return []
        case .length(let length):
            guard length <= limit else { throw excess }
            while input.count < length {
                guard try await receive(until: deadline) else { throw HTTPClientError(.ended, at: serverAddress) }
            }
            defer { input.removeFirst(length) }
            return Array(input[..<length])
        case .untilEnd:
            while try await receive(until: deadline) { guard input.count <= limit else { throw excess } }
            defer { input = [] }
            return input
        case .chunked: return try await chunkedBody(limit, excess, until: deadline)
        }
    }

    private func chunkedBody(_ limit: Int, _ excess: HTTPClientError, until deadline: Deadline) async throws(HTTPClientError) -> [UInt8] {
        var reader = ChunkedReader()
        var body: [UInt8] = []
        var position = 0
        while true {
            let step: ChunkedReader.Step
            do throws(RequestError) {
                let bytes = input
                step = try reader.next(in: bytes.span, at: &position)
            } catch {
                throw HTTPClientError(error, at: self.serverAddress)
            }
            switch step {
            case .data(let range):
                guard body.count + range.count <= limit else { throw excess }
                body += input[range]
            case .end:
                input.removeFirst(position)
                return body
            case .incomplete:
                input.removeFirst(position)
                position = 0
                guard try await receive(until: deadline) else { throw HTTPClientError(.ended, at: self.serverAddress) }
            }
        }
    }
}
