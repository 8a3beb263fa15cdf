import Foundation

/// The lines that a sink received.
final class Written: @unchecked Sendable {
    private let lock = NSLock()
    // Accessed only while the lock is held.
    private var texts: [String] = []

    var lines: [String] { lock.withLock { texts } }

    func append(_ bytes: [UInt8]) { append(String(decoding: bytes, as: UTF8.self)) }

    func append(_ text: String) { lock.withLock { texts.append(text) } }
}
