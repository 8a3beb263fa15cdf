internal import CBrotli
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
        case .gzip: Deflate.compress(bytes, into: .gzip, level: effort == .quick ? 4 : 9)
        case .identity: nil
        }
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
