internal import JSON
internal import Resolve
internal import Values
internal import VitrineClient

/// A page as `sync tail --pages` prints it.
struct TailPage: JSONObjectEncodable {
    /// The number of titles on the line of a section.
    private static let maxTitles = 4

    let feed: String
    /// The page, or nil if the feed is not live.
    let page: CopiedPage?
    let version: Int
    let time: Timestamp

    func encodeMembers(to json: inout JSONWriter) {
        json.member("time", time.description)
        json.member("feed", feed)
        json.member("version", version)
        json.member("revision", page?.revision)
        json.member("sections", each: page?.sections ?? []) { json, section in
            json.object { json in
                json.member("id", section.id)
                json.member("title", section.title)
                json.member("items", section.placements)
            }
        }
    }

    /// Returns a line for the feed, and one for each section with the titles of its first items.
    func text(_ copy: LocalCopy) -> String {
        guard let page else { return "\(time.timeOfDay) \(feed) is not live, version \(version)\n" }
        var text = "\(time.timeOfDay) \(feed), revision \(page.revision), version \(version)\n"
        for section in page.sections {
            let titles = section.placements.prefix(Self.maxTitles).map { title(of: $0, in: copy).printable(limit: 40) }
            let more = section.placements.count > titles.count ? ", …" : ""
            let name = section.title.map { "\(section.id) (\($0))" } ?? section.id
            text += "  \(name.printable(limit: 120)), \(section.placements.count) items: \(titles.joined(separator: ", "))\(more)\n"
        }
        return text
    }

    private func title(of placement: Placement, in copy: LocalCopy) -> String {
        guard let item = placement.item else { return placement.id }
        guard let data = copy[EntityKey(kind: "item", id: item)]?.data else { return item }
        do throws(JSONError) {
            return try JSONDocument(parsing: data, limits: .ownOutput).root["title"]?.string ?? item
        } catch { return item }
    }
}
