import CEpoll
import Glibc
import HTTPMessages
import Host

/// The least possible work of an HTTP server on one thread. It waits with epoll, calls recv once and sends the same
/// prepared bytes.
enum FloorServer {
    /// The use of the received bytes.
    enum Work: String, CaseIterable {
        case floor
        /// Each head is read with Vitrine's reader, and nothing is done with it.
        case parsing = "floor that parses"
    }

    private static let batch = 128
    private static let bufferSize = 65_536

    /// Prints the port and serves until the process is killed.
    static func serve(_ response: [UInt8], _ work: Work) throws -> Never {
        let (listener, port) = try listen()
        let queue = epoll_create1(0)
        guard queue >= 0 else { throw failure("epoll_create1") }
        try watch(listener, queue)
        try StandardStream.output.write("\(port)\n")
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: batch)
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        try response.withUnsafeBytes { bytes -> Never in
            while true {
                let count = epoll_wait(queue, events, Int32(batch), -1)
                for index in 0..<Int(max(0, count)) {
                    let socket = events[index].data.fd
                    if socket == listener {
                        try watch(accepted(from: listener), queue)
                        continue
                    }
                    let size = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
                    if size > 0, work == .floor || heads(in: buffer.span.extracting(first: size)) > 0 {
                        // A blocking socket accepts all bytes. If the client is gone, the next recv returns an error.
                        _ = send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                    } else {
                        close(socket)
                    }
                }
            }
        }
    }

    /// Returns the number of complete heads at the start of the bytes.
    private static func heads(in bytes: Span<UInt8>) -> Int {
        var (count, position) = (0, 0)
        while position < bytes.count {
            var reader = HTTP1HeadReader()
            guard case .head(_, let size) = reader.read(bytes.extracting(position..<bytes.count)) else { break }
            position += size
            count += 1
        }
        return count
    }

    private static func listen() throws -> (socket: Int32, port: Int) {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { throw failure("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) | getsockname(number, $0, &size) }
        }
        guard status == 0, Glibc.listen(number, 4_096) == 0 else { throw failure("listen") }
        return (number, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func accepted(from listener: Int32) throws -> Int32 {
        let number = accept(listener, nil, nil)
        guard number >= 0 else { throw failure("accept") }
        var isOn: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return number
    }

    private static func watch(_ socket: Int32, _ queue: Int32) throws {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: socket))
        guard epoll_ctl(queue, EPOLL_CTL_ADD, socket, &event) == 0 else { throw failure("epoll_ctl") }
    }

    private static func failure(_ call: String) -> BenchmarkFailure {
        BenchmarkFailure(reason: "\(call): \(String(cString: strerror(errno)))")
    }
}
