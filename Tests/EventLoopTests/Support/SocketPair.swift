import EventLoop
import Glibc
import Host

/// Two connected, nonblocking sockets.
struct SocketPair: ~Copyable {
    let near: Descriptor
    let far: Descriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw HostError(errnoOf: "open", "a pair of sockets") }
        near = Descriptor(owning: ends[0])
        far = Descriptor(owning: ends[1])
    }

    /// Closes the near end through an event loop and returns the far end.
    consuming func closeNear(on loop: EventLoop) -> Descriptor {
        loop.close(near)
        return far
    }

    borrowing func duplicateOfNear(atLeast number: Int32) throws -> Descriptor {
        let duplicate = fcntl(near.number, F_DUPFD_CLOEXEC, number)
        guard duplicate >= 0 else { throw HostError(errnoOf: "duplicate", "a socket") }
        return Descriptor(owning: duplicate)
    }

    /// Closes the far end and returns the near end.
    consuming func hangUp() -> Descriptor { near }
}

extension Int32 {
    /// Reads the available bytes and returns their number.
    func drain() -> Int {
        var bytes = [UInt8](repeating: 0, count: 4096)
        return Swift.max(0, Glibc.read(self, &bytes, bytes.count))
    }

    func send(_ byte: UInt8 = 1) {
        var byte = byte
        _ = Glibc.write(self, &byte, 1)
    }
}

/// Sends a signal to the calling thread.
func raise(_ signal: Signal) { _ = Glibc.raise(signal.number) }
