internal import Feeds
internal import Values

extension QueryParameters {
    mutating func line() -> LineKey? {
        guard let text = self["line"] else { return nil }
        if let line = LineKey(text) { return line }
        refuse("line", "expected main or the name of a takeover")
        return nil
    }

    mutating func truth(_ name: String) -> Bool? {
        guard let text = self[name] else { return nil }
        if text == "true" || text == "false" { return text == "true" }
        refuse(name, "expected true or false")
        return nil
    }

    /// As RFC 3339 has it.
    mutating func moment(_ name: String) -> Timestamp? {
        guard let text = self[name] else { return nil }
        if let moment = Timestamp(text) { return moment }
        refuse(name, "expected a moment such as 2026-03-01T09:30:00Z")
        return nil
    }
}
