package import Postgres

/// The queries of what curators save and schedule, looked up once.
package struct FeedQueries: Sendable {
    let create, lock, newestNumber, save, list, drafts, revisions, revision: NamedQuery
    let publications, publication, publish, cancel, shownBefore, archive, restore: NamedQuery
    let words, availability, itemDocuments, storefronts, moment, clock: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        create = try library.query("feeds.create")
        lock = try library.query("feeds.lock")
        newestNumber = try library.query("feeds.newest_number")
        save = try library.query("feeds.save")
        list = try library.query("feeds.list")
        drafts = try library.query("feeds.drafts")
        revisions = try library.query("feeds.revisions")
        revision = try library.query("feeds.revision")
        publications = try library.query("feeds.publications")
        publication = try library.query("feeds.publication")
        publish = try library.query("feeds.publish")
        cancel = try library.query("feeds.cancel")
        shownBefore = try library.query("feeds.shown_before")
        archive = try library.query("feeds.archive")
        restore = try library.query("feeds.restore")
        words = try library.query("feeds.words")
        availability = try library.query("feeds.availability")
        itemDocuments = try library.query("feeds.item_documents")
        storefronts = try library.query("feeds.storefronts")
        moment = try library.query("feeds.moment")
        clock = try library.query("feeds.clock")
    }
}
