import Feeds
import Values

/// A feed of a `World`: its revisions and its schedule.
struct WorldFeed {
    enum Layer: String { case base, takeover }

    struct Publication {
        let layer: Layer
        let revision: Int
        let from: Timestamp
        var until: Timestamp?

        func contains(_ time: Timestamp) -> Bool { from <= time && until.map { time < $0 } ?? true }
    }

    let key: String
    /// The sections of the document that is edited.
    var sections: [(key: String, json: String)] = []
    var revisions: [(line: String, document: FeedDocument)] = []
    var publications: [Publication] = []
    var isArchived = false

    /// Returns the number of the live revision, starting from 1.
    func liveRevision(at time: Timestamp) -> Int? {
        if isArchived { return nil }
        let live = publications.filter { $0.contains(time) }
        return (live.first { $0.layer == .takeover } ?? live.first)?.revision
    }

    /// Saves a document and returns its revision number.
    mutating func save(_ document: FeedDocument, on line: String) -> Int {
        if let newest = revisions.lastIndex(where: { $0.line == line }), revisions[newest].document == document { return newest + 1 }
        revisions.append((line, document))
        return revisions.count
    }

    /// Publishes a revision on the base layer. It ends the current publication, and lasts until the next one.
    mutating func publish(_ revision: Int, from: Timestamp) {
        let next = publications.filter { $0.layer == .base && $0.from > from }.map(\.from).min()
        for index in publications.indices where publications[index].layer == .base && publications[index].contains(from) {
            publications[index].until = from
        }
        publications.append(Publication(layer: .base, revision: revision, from: from, until: next))
    }

    /// Returns false if another takeover is in conflict.
    mutating func takeOver(_ revision: Int, from: Timestamp, until: Timestamp?) -> Bool {
        let isFree = publications.allSatisfy { other in
            other.layer == .base || until.map { $0 <= other.from } ?? false || other.until.map { $0 <= from } ?? false
        }
        if isFree { publications.append(Publication(layer: .takeover, revision: revision, from: from, until: until)) }
        return isFree
    }

    /// Cancels a publication that has not started by the database clock. Its predecessor on the base layer lasts until its end.
    mutating func cancel(_ index: Int) {
        let cancelled = publications.remove(at: index)
        guard cancelled.layer == .base else { return }
        for index in publications.indices where publications[index].layer == .base && publications[index].until == cancelled.from {
            publications[index].until = cancelled.until
        }
    }
}
