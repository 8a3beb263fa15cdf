internal import JSON
internal import VitrineClient

struct JournalRecord: JSONObjectEncodable {
    let edit: CopyMutation

    init(_ edit: CopyMutation) { self.edit = edit }

    func encodeMembers(to json: inout JSONWriter) {
        switch edit {
        case .save(let key, let version, let content): Self.write("save", key, version, content, to: &json)
        case .repair(let key, let version, let content): Self.write("repair", key, version, content, to: &json)
        case .cap(let version): json.member("cap", version)
        case .startLoad: json.member("load", "start")
        case .endLoad: json.member("load", "end")
        case .distrust: json.member("distrusted", true)
        case .trust: json.member("distrusted", false)
        case .move(let cursor, let version):
            json.member("move", version)
            json.member("cursor", cursor)
        }
    }

    private static func write(_ verb: String, _ key: EntityKey, _ version: Int, _ content: CopyContent?, to json: inout JSONWriter) {
        json.member(verb, version)
        json.member("kind", key.kind)
        json.member("id", key.id)
        json.member("hash", content?.hash)
        json.member("data", rendered: content?.data)
    }

    /// Returns nil if no release has written the line. A journal of format 1 has other words.
    init?(_ node: JSONNode) {
        let saved = node["save"] ?? node["put"]
        if let version = (saved ?? node["repair"] ?? node["mend"])?.integer {
            guard let kind = node["kind"]?.string, let id = node["id"]?.string else { return nil }
            let content = node["hash"]?.string.map { CopyContent(hash: $0, data: node["data"]?.canonical()) }
            let key = EntityKey(kind: kind, id: id)
            edit = saved == nil ? .repair(key, version: version, content) : .save(key, version: version, content)
        } else if let version = node["cap"]?.integer {
            edit = .cap(version)
        } else if let version = node["move"]?.integer, let cursor = node["cursor"]?.string {
            edit = .move(cursor: cursor, version: version)
        } else if let load = node["load"]?.string {
            edit = load == "end" ? .endLoad : .startLoad
        } else if let isDistrusted = (node["distrusted"] ?? node["doubt"])?.bool {
            edit = isDistrusted ? .distrust : .trust
        } else {
            return nil
        }
    }
}
