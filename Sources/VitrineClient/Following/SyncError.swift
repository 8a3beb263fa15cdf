/// Why following cannot go on by itself.
public struct SyncError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: Sendable {
        /// The server has not handed the cursor out: begin anew, and look for the mistake.
        case cursorDamaged
        /// The cursor is of other feeds, another locale or another storefront.
        case scopeMismatch
        /// The storefront or a feed does not exist, or the server refuses for another reason.
        case refused
        /// Again and again an answer was no answer of sync.
        case unreadable
    }

    public let code: Code
    /// Of the answer.
    public let status: Int
    /// What a person is told.
    public let message: String

    public var description: String { message }
}
