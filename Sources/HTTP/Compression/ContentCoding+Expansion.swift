internal import CZlib
internal import HTTPMessages

extension ContentCoding {
    enum ExpansionError: Error {
        case damaged
        case tooLarge
    }

    /// What was compressed by gzip, whole and with its check sum; a few bytes may stand for a thousand times as many, hence the limit.
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
