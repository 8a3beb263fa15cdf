internal import Postgres

enum SequencerQueries {
    /// The advisory lock that the leader holds.
    static let leaderLock = 6_021_740_921_345_508_342

    static let elect = NamedQuery("sequencer.elect")
    static let inspect = NamedQuery("sequencer.inspect")
    static let waitForHead = NamedQuery("sequencer.wait_for_head")
    static let readHead = NamedQuery("sequencer.read_head")
    static let inspectHead = NamedQuery("sequencer.inspect_head")
    static let beginEpoch = NamedQuery("sequencer.begin_epoch")
    static let waiting = NamedQuery("sequencer.waiting")
    static let removeChanges = NamedQuery("sequencer.remove_changes")
    static let openItems = NamedQuery("sequencer.open_items")
    static let nextItems = NamedQuery("sequencer.next_items")
    static let closeItems = NamedQuery("sequencer.close_items")
    static let removeItems = NamedQuery("sequencer.remove_items")
    static let storefronts = NamedQuery("sequencer.storefronts")
    static let liveRevisions = NamedQuery("sequencer.live_revisions")
    static let revisionDocuments = NamedQuery("sequencer.revision_documents")
    static let shown = NamedQuery("sequencer.shown")
    static let references = NamedQuery("sequencer.references")
    static let bounds = NamedQuery("sequencer.bounds")
    static let bounded = NamedQuery("sequencer.bounded")
    static let nextBounds = NamedQuery("sequencer.next_bounds")
    static let publishItems = NamedQuery("sequencer.publish_items")
    static let publish = NamedQuery("sequencer.publish")
    static let setEnds = NamedQuery("sequencer.set_ends")
    static let setRetained = NamedQuery("sequencer.set_retained")
    static let setHead = NamedQuery("sequencer.set_head")
    static let setComplete = NamedQuery("sequencer.set_complete")
    static let notify = NamedQuery("sequencer.notify")
    static let hurryOutbox = NamedQuery("sequencer.hurry_outbox")
    static let purge = NamedQuery("sequencer.purge")
    static let lockOutbox = NamedQuery("sequencer.lock_outbox")
    static let outboxSize = NamedQuery("sequencer.outbox_size")
    static let emptyOutbox = NamedQuery("sequencer.empty_outbox")
}
