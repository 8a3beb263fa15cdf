internal import CPostgres

/// What another thread needs to cancel a query.
@safe final class CancelRequest: @unchecked Sendable {
    // Unchecked: libpq never changes the object after it is made.
    private let pointer: OpaquePointer

    init?(_ handle: Handle) {
        guard let pointer = unsafe PQgetCancel(handle.pointer) else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe PQfreeCancel(pointer) }

    /// Blocks until the server has passed it on, or the network gives up; false where it was not delivered.
    func send() -> Bool {
        var message = [CChar](repeating: 0, count: 256)
        return unsafe PQcancel(pointer, &message, 256) == 1
    }
}
