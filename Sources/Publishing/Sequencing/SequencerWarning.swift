package import Feeds

/// Something that an operator or a curator should know of a drain.
package enum SequencerWarning: Sendable, Equatable, CustomStringConvertible {
    /// A section shows what it showed before, as its rule finds too little; nothing where it had nothing.
    case kept(section: String, storefront: String, ComposedSection.RetentionReason)
    /// A revision that this program cannot read; what was published of the feed stays.
    case unreadable(feed: String, revision: Int, String)
    /// Something is published that this program cannot read, as a newer one may have written it; it stays.
    case sealed(feed: String, storefront: String, String)
    /// A section shows again what its rule finds.
    case asArranged(section: String, storefront: String)
    /// What a section's rule took longer to find than it may; the section stays as it was.
    case tooSlow(section: String, storefront: String)
    /// A section whose rule was not asked, as others have taken the time of a drain; it stays as it was until the next.
    case notAsked(section: String, storefront: String)

    package var description: String {
        switch self {
        case .kept(let section, let storefront, .tooFew(let found, let minimum)):
            "\(section) in \(storefront) stays as it was: its rule finds \(found) items, and it is to have \(minimum)"
        case .kept(let section, let storefront, .tooLargeDrop(let found, let before)):
            "\(section) in \(storefront) stays as it was: its rule finds \(found) items where there were \(before)"
        case .unreadable(let feed, let revision, let mistake):
            "\(feed) stays as it was: revision \(revision) cannot be read: \(mistake)"
        case .sealed(let feed, let storefront, let mistake):
            "\(feed) in \(storefront) stays as it was: what is published of it cannot be read: \(mistake)"
        case .asArranged(let section, let storefront):
            "\(section) in \(storefront) shows what its rule finds again"
        case .tooSlow(let section, let storefront):
            "\(section) in \(storefront) stays as it was: its rule takes too long"
        case .notAsked(let section, let storefront):
            "\(section) in \(storefront) stays as it was for now: other rules take too long together"
        }
    }
}
