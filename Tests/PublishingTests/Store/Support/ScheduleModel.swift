import Feeds
import Values

/// The expected behavior of the store, as lists: the base shows the latest publication, and a takeover wins while it lasts.
struct ScheduleModel {
    struct Entry {
        let id: Int
        let revision: Int
        let from: Timestamp
        let until: Timestamp?
    }

    private(set) var base: [Entry] = []
    private(set) var takeovers: [Entry] = []

    /// Returns the publications that conflict with another one on a layer, by ID. On the base, only equal starts conflict.
    func conflictingPublications(_ layer: Publication.Layer, from: Timestamp, until: Timestamp?) -> [Int] {
        switch layer {
        case .base: base.filter { $0.from == from }.map(\.id)
        case .takeover: takeovers.filter { ($0.until ?? .latest) > from && $0.from < until ?? .latest }.map(\.id).sorted()
        }
    }

    mutating func publish(_ publication: Publication, from: Timestamp, until: Timestamp?) {
        let entry = Entry(id: publication.id, revision: publication.revision, from: from, until: until)
        switch publication.layer {
        case .base: base.append(entry)
        case .takeover: takeovers.append(entry)
        }
    }

    /// Returns false if the publication does not exist.
    mutating func cancel(_ id: Int) -> Bool {
        let count = base.count + takeovers.count
        base.removeAll { $0.id == id }
        takeovers.removeAll { $0.id == id }
        return base.count + takeovers.count < count
    }

    func live(at time: Timestamp) -> Int? {
        let takeover = takeovers.first { $0.from <= time && time < $0.until ?? .latest }
        return (takeover ?? base.filter { $0.from <= time }.max { $0.from < $1.from })?.revision
    }
}
