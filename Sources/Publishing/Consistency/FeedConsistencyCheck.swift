/// What comparing the feeds of a storefront with what is published of them has found.
package struct FeedConsistencyCheck: Sendable, Equatable {
    /// How many documents are published there, layouts included.
    package var compared = 0
    package var differences: Set<DocumentMismatch> = []
    /// How many feeds, and revisions of theirs, this program cannot read, and so cannot compare.
    package var unreadable = 0

    package init() {}
}
