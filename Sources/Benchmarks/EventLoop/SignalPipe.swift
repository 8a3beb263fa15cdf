import Foundation
import Host

/// A pipe on which a thread waits for another in a blocking call, like `EchoThread`.
final class SignalPipe: Sendable {
    private let ends: [Int32]

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw HostError(errnoOf: "open", "a pipe") }
        self.ends = ends
    }

    var writingEnd: Int32 { ends[1] }

    deinit { for end in ends { close(end) } }

    func send() {
        var byte: UInt8 = 1
        _ = write(ends[1], &byte, 1)
    }

    func receive() {
        var byte: UInt8 = 0
        _ = read(ends[0], &byte, 1)
    }
}
