package import JSON

/// In short what one document does otherwise than another: sections by their keys, and which of their members.
package struct SectionChanges: Sendable, Equatable, JSONEncodable {
    package struct Changed: Sendable, Equatable {
        package let key: String
        /// As the document names them.
        package let members: [String]
    }

    /// `title` and `configuration`, where they are others.
    package let feed: [String]
    package let added: [String]
    package let removed: [String]
    /// The fewest by which the others keep their order.
    package let moved: [String]
    package let changed: [Changed]

    package init(from old: FeedDocument, to new: FeedDocument) {
        feed = [old.title == new.title ? nil : "title", old.configuration == new.configuration ? nil : "configuration"].compactMap(\.self)
        let (before, after) = (old.sections.map(\.key.text), new.sections.map(\.key.text))
        added = after.filter { !before.contains($0) }
        removed = before.filter { !after.contains($0) }
        let common = after.filter(before.contains)
        let still = Self.longestRising(common.map { before.firstIndex(of: $0) ?? 0 })
        moved = common.enumerated().filter { !still.contains($0.offset) }.map(\.element)
        changed = new.sections.compactMap { section in
            guard let other = old.sections.first(where: { $0.key == section.key }), other != section else { return nil }
            return Changed(key: section.key.text, members: Self.members(of: other, otherIn: section, feed: new.key))
        }
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed, unless: [])
            json.member("added", added, unless: [])
            json.member("removed", removed, unless: [])
            json.member("moved", moved, unless: [])
            guard !changed.isEmpty else { return }
            json.key("changed")
            json.array { json in
                for section in changed {
                    json.object { json in
                        json.member("section", section.key)
                        json.member("members", section.members)
                    }
                }
            }
        }
    }

    /// The places of a longest run of numbers, not next to each other, each of which is larger than the one before.
    private static func longestRising(_ numbers: [Int]) -> Set<Int> {
        var runs: [[Int]] = []
        for (place, number) in numbers.enumerated() {
            let best = runs.filter { $0.last.map { numbers[$0] < number } ?? true }.max { $0.count < $1.count } ?? []
            runs.append(best + [place])
        }
        return Set(runs.max { $0.count < $1.count } ?? [])
    }

    private static func members(of old: FeedSection, otherIn new: FeedSection, feed: FeedKey) -> [String] {
        let (before, after) = (members(of: old, in: feed), members(of: new, in: feed))
        return (after.map(\.key) + before.map(\.key).filter { key in !after.contains { $0.key == key } }).filter { key in
            before.first { $0.key == key }?.value != after.first { $0.key == key }?.value
        }
    }

    private static func members(of section: FeedSection, in feed: FeedKey) -> [JSONValue.Member] {
        var json = JSONWriter()
        section.encode(to: &json, in: feed)
        do throws(JSONError) {
            guard case .object(let members) = JSONValue(try JSONDocument(parsing: json.bytes, limits: .ownOutput).root) else { return [] }
            return members
        } catch { preconditionFailure("what a section writes can be read: \(error)") }
    }
}
