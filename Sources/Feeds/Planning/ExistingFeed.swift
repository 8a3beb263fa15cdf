internal import JSON

package struct ExistingFeed: Sendable {
    package struct Saved: Sendable {
        package let number: Int
        /// The document in canonical form.
        package let bytes: [UInt8]

        package init(number: Int, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }

        /// The document, or nil if a newer release has saved it.
        package var document: FeedDocument? {
            do throws(JSONError) { return try FeedDocument(parsing: bytes, limits: .feed) } catch { return nil }
        }
    }

    package struct Live: Sendable {
        package let publication: Publication
        package let saved: Saved

        package init(_ publication: Publication, _ saved: Saved) {
            self.publication = publication
            self.saved = saved
        }
    }

    package let isArchived: Bool
    /// The newest revision of each requested line.
    package let drafts: [LineKey: Saved]
    /// The revision that is live now. It is also set if a takeover has precedence or the feed is archived.
    package let base: Saved?
    /// The takeover that has precedence now, even if the feed is archived.
    package let takeover: Live?

    package init(isArchived: Bool, drafts: [LineKey: Saved], base: Saved?, takeover: Live? = nil) {
        self.isArchived = isArchived
        self.drafts = drafts
        self.base = base
        self.takeover = takeover
    }

    /// The revision that clients see now, or would see if the feed were not archived.
    package var live: Saved? { takeover?.saved ?? base }
}
