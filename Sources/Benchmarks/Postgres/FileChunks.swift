import Foundation

/// A file as chunks for COPY.
struct FileChunks: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = [UInt8]

    private let file: FileHandle

    init(_ path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else { throw BenchmarkFailure(reason: "\(path) cannot be read") }
        self.file = file
    }

    func makeAsyncIterator() -> FileChunks { self }

    func next() async throws -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = Swift.max(0, read(file.fileDescriptor, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : bytes
    }
}
