package import Feeds
package import Postgres

/// An error of saving, finding or scheduling a revision.
package struct FeedStoreError: Error, Sendable, Equatable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let unknownFeed = Code(rawValue: "unknown_feed")
        package static let unknownRevision = Code(rawValue: "unknown_revision")
        package static let unknownPublication = Code(rawValue: "unknown_publication")
        package static let unknownTimeZone = Code(rawValue: "unknown_time_zone")
        package static let archived = Code(rawValue: "archived")
        /// Another publication has the time.
        package static let overlap = Code(rawValue: "overlap")
        /// The publication would start before now, or change the past.
        package static let inThePast = Code(rawValue: "in_the_past")
        package static let endsTooSoon = Code(rawValue: "ends_too_soon")
        package static let isOver = Code(rawValue: "is_over")
        package static let nothingBefore = Code(rawValue: "nothing_before")
        package static let tooLarge = Code(rawValue: "too_large")
        package static let reviewed = Code(rawValue: "reviewed")
        /// The revision was saved by a newer release.
        package static let unreadable = Code(rawValue: "unreadable")
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
            case ("publications_revision_fkey", _): (.unknownRevision, "there is no such revision", "List the revisions of the feed.")
            case ("publications_history_check", _):
                (.inThePast, Self.inThePast.message, Self.inThePast.help)
            case ("publications_during_check", _):
                (.endsTooSoon, Self.endsTooSoon.message, Self.endsTooSoon.help)
            case ("publications_during_excl", _):
                (.overlap, "another publication has that time", "Look at the schedule, and cancel that one or choose another time.")
            case ("publications_time_zone_check", _):
                (.unknownTimeZone, "there is no such time zone", "Name one as Europe/Berlin, or UTC.")
            case ("revisions_document_check", _): (.tooLarge, "the document is larger than 1 MiB", "Make two feeds of it.")
            case (_, "P0002"): (.unknownPublication, "there is no such publication", "Look at the schedule; it may have been cancelled.")
            case (_, "55000"): (.isOver, "the publication is over", "What was shown stays as it was; publish another revision instead.")
            default: (.database, error.description, "See what the log of the server says.")
            }
        self.init(code, message, help: help, underlying: error)
    }

    static func unknown(_ feed: FeedKey) -> FeedStoreError {
        FeedStoreError(.unknownFeed, "there is no feed \(feed)", help: "")
    }

    package static let inThePast = FeedStoreError(
        .inThePast, "what was shown cannot be changed", help: "Leave the beginning out to begin now, or name a later one.")

    package static let endsTooSoon = FeedStoreError(
        .endsTooSoon, "it would end before it begins", help: "Name an end behind its beginning, and behind now.")

    package static func nothingBefore(_ feed: FeedKey) -> FeedStoreError {
        FeedStoreError(.nothingBefore, "\(feed) has shown nothing else before", help: "Name the revision to show.")
    }

    static func archived(_ feed: FeedKey) -> FeedStoreError {
        FeedStoreError(.archived, "the feed \(feed) is archived", help: "Restore it first.")
    }
}
