package import Postgres

/// The queries of the sequencer, looked up once.
package struct SequencerQueries: Sendable {
    let elect, look, waitForHead, readHead, lookAtHead, beginEpoch, waiting, take: NamedQuery
    let openItems, nextItems, closeItems, removeItems: NamedQuery
    let storefronts, liveRevisions, revisionDocuments, shown, references, bounds, nextBounds, bounded: NamedQuery
    let publishItems, publish, setEnds, setHead, setComplete, tell, purge, hurryOutbox, lockOutbox, outboxSize, emptyOutbox: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        elect = try library.query("sequencer.elect")
        look = try library.query("sequencer.look")
        waitForHead = try library.query("sequencer.wait_for_head")
        readHead = try library.query("sequencer.read_head")
        lookAtHead = try library.query("sequencer.look_at_head")
        beginEpoch = try library.query("sequencer.begin_epoch")
        waiting = try library.query("sequencer.waiting")
        take = try library.query("sequencer.take")
        openItems = try library.query("sequencer.open_items")
        nextItems = try library.query("sequencer.next_items")
        closeItems = try library.query("sequencer.close_items")
        removeItems = try library.query("sequencer.remove_items")
        storefronts = try library.query("sequencer.storefronts")
        liveRevisions = try library.query("sequencer.live_revisions")
        revisionDocuments = try library.query("sequencer.revision_documents")
        shown = try library.query("sequencer.shown")
        references = try library.query("sequencer.references")
        bounds = try library.query("sequencer.bounds")
        bounded = try library.query("sequencer.bounded")
        nextBounds = try library.query("sequencer.next_bounds")
        publishItems = try library.query("sequencer.publish_items")
        publish = try library.query("sequencer.publish")
        setEnds = try library.query("sequencer.set_ends")
        setHead = try library.query("sequencer.set_head")
        setComplete = try library.query("sequencer.set_complete")
        tell = try library.query("sequencer.tell")
        hurryOutbox = try library.query("sequencer.hurry_outbox")
        purge = try library.query("sequencer.purge")
        lockOutbox = try library.query("sequencer.lock_outbox")
        outboxSize = try library.query("sequencer.outbox_size")
        emptyOutbox = try library.query("sequencer.empty_outbox")
    }
}
