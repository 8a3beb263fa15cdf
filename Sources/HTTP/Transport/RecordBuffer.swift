/// A buffer in which the bytes of one TLS record are gathered. Its bytes are not needed after a write, so all
/// connections of a loop share it.
@safe final class RecordBuffer {
    /// The maximum size of a TLS record. Smaller records cost a header and a system call each.
    static let capacity = 16_384

    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: RecordBuffer.capacity, alignment: 16)

    deinit { unsafe bytes.deallocate() }
}
