package import Feeds
package import Postgres

/// An error of saving, finding or scheduling a revision.
package struct FeedStoreError: Error, Sendable, Equatable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let unknownFeed = Code(rawValue: "unknownFeed")
        package static let unknownRevision = Code(rawValue: "unknownRevision")
        package static let unknownPublication = Code(rawValue: "unknownPublication")
        package static let unknownTimeZone = Code(rawValue: "unknownTimeZone")
        package static let feedArchived = Code(rawValue: "feedArchived")
        /// Another publication has the time.
        package static let publicationOverlap = Code(rawValue: "publicationOverlap")
        /// The publication would start before now, or change the past.
        package static let startInPast = Code(rawValue: "startInPast")
        package static let invalidEnd = Code(rawValue: "invalidEnd")
        package static let publicationEnded = Code(rawValue: "publicationEnded")
        package static let noPreviousRevision = Code(rawValue: "noPreviousRevision")
        package static let documentTooLarge = Code(rawValue: "documentTooLarge")
        package static let reviewFailed = Code(rawValue: "reviewFailed")
        /// The revision was saved by a newer release.
        package static let unsupportedRevision = Code(rawValue: "unsupportedRevision")
        package static let database = Code(rawValue: "database")
    }

    package var code: Code
    package var message: String
    package var help: String
    /// The feed that the error is about, if a response can name it.
    package var feed: FeedKey?
    package var conflictingPublication: Publication?
    /// The findings of a review, errors first.
    package var findings: [ReviewFinding] = []
    package var underlying: PostgresError?

    init(_ code: Code, _ message: String, help: String, conflictingPublication: Publication? = nil, underlying: PostgresError? = nil) {
        self.code = code
        self.message = message
        self.help = help
        self.conflictingPublication = conflictingPublication
        self.underlying = underlying
    }
}

extension FeedStoreError: CustomStringConvertible {
    package var description: String { help.isEmpty ? "\(message)." : "\(message). \(help)" }
}

extension FeedStoreError {
    /// Creates an error from the violation of a database constraint.
    init(_ error: PostgresError) {
        let (code, message, help): (Code, String, String) =
            switch (error.constraint, error.sqlState?.rawValue) {
            case ("publications_revision_fkey", _): (.unknownRevision, "the revision does not exist", "List the revisions of the feed.")
            case ("publications_history_check", _):
                (.startInPast, Self.startInPast.message, Self.startInPast.help)
            case ("publications_during_check", _):
                (.invalidEnd, Self.invalidEnd.message, Self.invalidEnd.help)
            case ("publications_during_excl", _):
                (
                    .publicationOverlap, "another publication overlaps the period",
                    "List the publications. Cancel the conflicting publication, or choose another period."
                )
            case ("publications_time_zone_check", _):
                (.unknownTimeZone, "the time zone does not exist", "Use a name such as Europe/Berlin or UTC.")
            case ("revisions_document_check", _): (.documentTooLarge, "the document is larger than 1 MiB", "Split the feed into two feeds.")
            case (_, "P0002"):
                (.unknownPublication, "the publication does not exist or was canceled", "Use an ID from the list of publications.")
            case (_, "55000"):
                (.publicationEnded, "the publication has ended", "A past publication cannot change. Publish another revision instead.")
            default: (.database, error.description, "Check the server log.")
            }
        self.init(code, message, help: help, underlying: error)
    }

    static func unknown(_ feed: FeedKey) -> FeedStoreError {
        FeedStoreError(.unknownFeed, "feed '\(feed)' does not exist", help: "Use a key from the list of feeds.")
    }

    package static let startInPast = FeedStoreError(
        .startInPast, "the publication would start in the past", help: "Omit the start to publish now, or choose a later start.")

    package static let invalidEnd = FeedStoreError(
        .invalidEnd, "the publication would end before it starts or in the past",
        help: "Choose an end after the start and after the current time.")

    package static func noPreviousRevision(_ feed: FeedKey) -> FeedStoreError {
        FeedStoreError(.noPreviousRevision, "feed '\(feed)' has no previous revision", help: "Choose the revision to publish.")
    }

    static func feedArchived(_ feed: FeedKey) -> FeedStoreError {
        FeedStoreError(.feedArchived, "feed '\(feed)' is archived", help: "Restore the feed first.")
    }
}
