internal import JSON

/// JSON in the block style of YAML. Strings keep the quotes and escapes of JSON, which YAML also accepts.
struct YAMLText {
    private(set) var text = ""

    init(of json: [UInt8]) throws(JSONError) {
        let root = try JSONDocument(parsing: json, limits: .ownOutput).root
        write(root, indent: 0, isInline: false)
    }

    private mutating func write(_ node: JSONNode, indent: Int, isInline: Bool) {
        let margin = String(repeating: " ", count: indent)
        var isFirst = isInline
        switch node.kind {
        case .array where node.count > 0:
            for element in node.elements {
                text += (isFirst ? "" : margin) + "- "
                isFirst = false
                write(element, indent: indent + 2, isInline: true)
            }
        case .object where node.count > 0:
            for member in node.members {
                text += (isFirst ? "" : margin) + key(member.key) + ":"
                isFirst = false
                if member.value.count > 0 {
                    text += "\n"
                    write(member.value, indent: indent + 2, isInline: false)
                } else {
                    text += " " + scalar(member.value) + "\n"
                }
            }
        default: text += scalar(node) + "\n"
        }
    }

    private func key(_ key: String) -> String {
        let isPlain = !key.isEmpty && key.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
        return isPlain && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(key.lowercased())
            ? key : scalar(.string(key))
    }

    private func scalar(_ node: JSONNode) -> String { scalar(JSONValue(node)) }

    private func scalar(_ value: JSONValue) -> String {
        var json = JSONWriter()
        value.encode(to: &json)
        return String(decoding: json.bytes, as: UTF8.self).escapingControls
    }
}

extension String {
    /// The text with escapes for DEL and the C1 controls, which JSON allows in a string and a terminal interprets.
    fileprivate var escapingControls: String {
        guard unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) }) else { return self }
        return unicodeScalars.map { (0x7F...0x9F).contains($0.value) ? "\\u00\(String($0.value, radix: 16))" : String($0) }.joined()
    }
}
