internal import Postgres

/// The queries of what curators save and schedule.
enum FeedQueries {
    static let create = NamedQuery("feeds.create")
    static let lock = NamedQuery("feeds.lock")
    static let newestNumber = NamedQuery("feeds.newest_number")
    static let save = NamedQuery("feeds.save")
    static let list = NamedQuery("feeds.list")
    static let drafts = NamedQuery("feeds.drafts")
    static let revisions = NamedQuery("feeds.revisions")
    static let revision = NamedQuery("feeds.revision")
    static let publications = NamedQuery("feeds.publications")
    static let publication = NamedQuery("feeds.publication")
    static let publish = NamedQuery("feeds.publish")
    static let cancel = NamedQuery("feeds.cancel")
    static let shownBefore = NamedQuery("feeds.shown_before")
    static let archive = NamedQuery("feeds.archive")
    static let restore = NamedQuery("feeds.restore")
    static let words = NamedQuery("feeds.words")
    static let availability = NamedQuery("feeds.availability")
    static let itemDocuments = NamedQuery("feeds.item_documents")
    static let storefronts = NamedQuery("feeds.storefronts")
    static let moment = NamedQuery("feeds.moment")
    static let clock = NamedQuery("feeds.clock")
}
