internal import CZlib

/// The compression of zlib, in one of its containers.
package enum Deflate {
    package enum Container: Sendable {
        /// The content coding of HTTP.
        case gzip
        /// The stream in a PNG file.
        case zlib
    }

    package enum ExpansionError: Error {
        case damaged
        case tooLarge
    }

    /// Returns the compressed bytes, or nil if memory is exhausted. `level` is from 1, the fastest, to 9.
    package static func compress(_ bytes: [UInt8], into container: Container, level: Int32) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard let inputCount = UInt32(exactly: bytes.count), unsafe begin(container, &stream, level) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let bound = Int(unsafe deflateBound(&stream, UInt(inputCount)))
        guard let outputCount = UInt32(exactly: bound) else { return nil }
        var isDone = false
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = inputCount
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = outputCount
                isDone = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = unsafe Int(outputCount - stream.avail_out)
            }
        }
        return isDone ? compressed : nil
    }

    private static func begin(_ container: Container, _ stream: inout z_stream, _ level: Int32) -> Int32 {
        switch container {
        case .gzip: unsafe czlib_begin_gzip(&stream, level)
        case .zlib: unsafe czlib_begin_zlib(&stream, level)
        }
    }

    /// Decompresses a complete gzip stream and verifies its checksum. The limit matters because a few bytes can expand
    /// a thousandfold.
    package static func gunzip(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], ExpansionError> {
        var stream = unsafe z_stream()
        guard let inputCount = UInt32(exactly: bytes.count), unsafe czlib_begin_gunzip(&stream) == Z_OK else { return .failure(.tooLarge) }
        defer { unsafe inflateEnd(&stream) }
        var expanded: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        return unsafe bytes.withUnsafeBufferPointer { input in
            unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.avail_in = inputCount
            while true {
                let (status, count) = unsafe piece.withUnsafeMutableBufferPointer { output in
                    unsafe stream.next_out = output.baseAddress
                    unsafe stream.avail_out = UInt32(output.count)
                    let status = unsafe inflate(&stream, Z_NO_FLUSH)
                    return unsafe (status, output.count - Int(stream.avail_out))
                }
                guard expanded.count + count <= limit else { return .failure(.tooLarge) }
                expanded += piece[..<count]
                if status == Z_STREAM_END { return unsafe stream.avail_in == 0 ? .success(expanded) : .failure(.damaged) }
                guard status == Z_OK, count > 0 else { return .failure(.damaged) }
            }
        }
    }
}
