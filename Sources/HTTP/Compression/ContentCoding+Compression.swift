internal import CBrotli
internal import CZlib
package import HTTPMessages

extension ContentCoding {
    package enum CompressionLevel: Sendable {
        /// The level for a response that is sent once.
        case quick
        /// The level for a response that is sent many times. Brotli then takes milliseconds for a page, too long for an
        /// event loop.
        case thorough
    }

    /// Returns the bytes in this coding, or nil if memory is exhausted or the coding is `identity`.
    package func compress(_ bytes: [UInt8], _ effort: CompressionLevel) -> [UInt8]? {
        switch self {
        case .br: Self.brotli(bytes, quality: effort == .quick ? 4 : 11)
        case .gzip: Self.gzip(bytes, level: effort == .quick ? 4 : 9)
        case .identity: nil
        }
    }

    private static func gzip(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard let inputCount = UInt32(exactly: bytes.count), unsafe czlib_begin_gzip(&stream, level) == Z_OK else { return nil }
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

    private static func brotli(_ bytes: [UInt8], quality: Int32) -> [UInt8]? {
        let bound = BrotliEncoderMaxCompressedSize(bytes.count)
        guard bound > 0 else { return nil }
        var isDone = false
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = output.count
            isDone =
                unsafe BrotliEncoderCompress(
                    quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, bytes.count, bytes, &count, output.baseAddress) == BROTLI_TRUE
            if !isDone { count = 0 }
        }
        return isDone ? compressed : nil
    }
}

extension ContentCoding {
    enum ExpansionError: Error {
        case damaged
        case tooLarge
    }

    /// Decompresses a complete gzip stream and verifies its checksum. The limit matters because a few bytes can expand
    /// a thousandfold.
    static func gunzip(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], ExpansionError> {
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
