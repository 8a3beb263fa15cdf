internal import JSON

package struct ExistingFeed: Sendable {
    package struct Saved: Sendable {
        package let number: Int
        /// Canonical.
        package let bytes: [UInt8]

        package init(number: Int, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }

        /// Nil where a program saved it that knows more.
        package var document: FeedDocument? {
            do throws(JSONError) { return try FeedDocument(parsing: bytes, limits: .feed) } catch { return nil }
        }
    }

    package struct Shown: Sendable {
        package let publication: Publication
        package let saved: Saved

        package init(_ publication: Publication, _ saved: Saved) {
            self.publication = publication
            self.saved = saved
        }
    }

    package let isArchived: Bool
    /// The newest of each line that was asked for.
    package let drafts: [LineKey: Saved]
    /// What is shown now, or would be but for a takeover or because the feed is archived.
    package let base: Saved?
    /// What is before the base now, or would be but because the feed is archived.
    package let takeover: Shown?

    package init(isArchived: Bool, drafts: [LineKey: Saved], base: Saved?, takeover: Shown? = nil) {
        self.isArchived = isArchived
        self.drafts = drafts
        self.base = base
        self.takeover = takeover
    }

    /// What clients see now, or would if the feed were not archived.
    package var shown: Saved? { takeover?.saved ?? base }
}
