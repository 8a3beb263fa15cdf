internal import JSON
internal import Values
internal import VitrineClient

/// A change as `sync tail` prints it.
struct TailChange: JSONEncodable {
    let change: CopyChange
    let time: Timestamp

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("time", time.description)
            json.member("change", change.kind.rawValue)
            json.member("kind", change.key.kind)
            json.member("id", change.key.id)
            json.member("version", change.version)
            json.member("hash", change.after?.hash)
            if let data = change.after?.data {
                json.key("data")
                json.rendered(data)
            }
        }
    }

    /// `09:30:00.123 + item Harbor Notes (6441)`.
    func line(isColored: Bool) -> String {
        let (mark, color) =
            switch change.kind {
            case .added: ("+", "\u{1B}[32m")
            case .changed: ("~", "\u{1B}[33m")
            case .removed: ("-", "\u{1B}[31m")
            }
        let text = "\(mark) \(change.key.kind.printable(limit: 40)) \(title.printable(limit: 120)) (\(change.version))"
        return "\(time.timeOfDay) " + (isColored ? "\(color)\(text)\u{1B}[0m" : text) + "\n"
    }

    /// What a person calls it; the id of what has no title.
    private var title: String {
        guard let data = (change.after ?? change.before)?.data else { return change.key.id }
        do throws(JSONError) {
            let root = try JSONDocument(parsing: data, limits: .ownOutput).root
            return root["title"]?.string ?? change.key.id
        } catch { return change.key.id }
    }
}
