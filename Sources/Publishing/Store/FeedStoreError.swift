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
        /// A storefront of an order is closed or does not exist.
        package static let unknownStorefront = Code(rawValue: "unknownStorefront")
        package static let feedArchived = Code(rawValue: "feedArchived")
        /// Another publication has the time.
        package static let publicationOverlap = Code(rawValue: "publicationOverlap")
        /// The publication for all storefronts would replace a base that was published for listed ones.
        package static let localBase = Code(rawValue: "localBase")
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
    /// The publications that prevent this one, each with the storefronts.
    package var conflictingPublications: [PublicationPlan.Conflict] = []
    /// The findings of a review, errors first.
    package var findings: [ReviewFinding] = []
    package var underlying: PostgresError?

    init(_ code: Code, _ message: String, help: String, underlying: PostgresError? = nil) {
        self.code = code
        self.message = message
        self.help = help
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
            case ("publication_spans_history_check", _):
                (.startInPast, Self.startInPast.message, Self.startInPast.help)
            case ("publication_spans_during_check", _):
                (.invalidEnd, Self.invalidEnd.message, Self.invalidEnd.help)
            case ("publication_spans_during_excl", _):
                (
                    .publicationOverlap, "another publication overlaps the period",
                    "List the publications. Cancel the conflicting publication, or choose another period."
                )
            case ("publications_storefronts_fkey", _):
                (.unknownStorefront, "a storefront is closed or does not exist", "Use keys from the list of storefronts.")
            case ("publications_local_base_check", _):
                (
                    .localBase, "the publication would replace a base that was published for some storefronts only",
                    "Publish for the other storefronts only, or set replaceLocal to replace this base."
                )
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

    package static func noPreviousRevision(_ feed: FeedKey, in storefronts: [String]? = nil) -> FeedStoreError {
        let places = storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
        return FeedStoreError(
            .noPreviousRevision, "feed '\(feed)' has no previous revision\(places)", help: "Choose the revision to publish.")
    }

    static func unknownStorefronts(_ keys: [String]) -> FeedStoreError {
        FeedStoreError(
            .unknownStorefront,
            "\(keys.count == 1 ? "the storefront \(keys[0]) is closed or does not exist" : "the storefronts \(keys.joined(separator: ", ")) are closed or do not exist")",
            help: "Use keys from the list of storefronts.")
    }

    /// Creates the error of a cancellation in storefronts that do not exist. A closed one exists.
    static func unknownToCancel(_ keys: [String]) -> FeedStoreError {
        let keys = keys.joined(separator: ", ")
        return FeedStoreError(.unknownStorefront, "these storefronts do not exist: \(keys)", help: "Use keys from the list of storefronts.")
    }

    /// Creates the error of a cancellation in storefronts in which the publication has ended, or which it never had.
    static func publicationEnded(_ id: Int, in ended: [String], notIn never: [String]) -> FeedStoreError {
        let reasons = [
            ended.isEmpty ? nil : "has ended in \(ended.joined(separator: ", "))",
            never.isEmpty ? nil : "has no period in \(never.joined(separator: ", "))",
        ]
        return FeedStoreError(
            .publicationEnded, "publication \(id) \(reasons.compactMap(\.self).joined(separator: " and "))",
            help: "Cancel it in other storefronts only. A past publication cannot change.")
    }

    static func feedArchived(_ feed: FeedKey) -> FeedStoreError {
        FeedStoreError(.feedArchived, "feed '\(feed)' is archived", help: "Restore the feed first.")
    }
}
