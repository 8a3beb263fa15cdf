internal import CPostgres

/// The warnings of the current call that bear on whether its commit lasts.
///
/// Canceled while it waits for a synchronous standby, a commit is reported as done, with nothing but a warning that no standby may have it.
final class CommitWarnings {
    /// The first warning of class 01, whatever raised it.
    private(set) var first: String?
    /// The first one that the server raised while it waited for a standby.
    private(set) var ofReplication: String?

    func clear() {
        first = nil
        ofReplication = nil
    }

    /// Notes a notice, which libpq frees afterwards.
    func note(_ notice: OpaquePointer?) {
        func field(_ code: some BinaryInteger) -> String? {
            unsafe PQresultErrorField(notice, Int32(code)).map { unsafe String(cString: $0) }
        }
        guard field(CPOSTGRES_SEVERITY) == "WARNING", let state = field(CPOSTGRES_SQLSTATE), state.hasPrefix("01") else { return }
        let message = field(CPOSTGRES_MESSAGE) ?? "warning \(state)"
        first = first ?? message
        // The function's name, as the message may be translated and the SQLSTATE is that of every warning.
        if field(CPOSTGRES_SOURCE_FUNCTION) == "SyncRepWaitForLSN" { ofReplication = ofReplication ?? message }
    }
}
