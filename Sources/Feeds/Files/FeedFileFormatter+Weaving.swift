internal import JSON

extension FeedFileFormatter {
    private struct CommentedNode {
        /// The whole lines above it.
        var above = ""
        /// The text before it on its line.
        var before = ""
        let text: String
        /// The text after it on its line.
        var after = ""
    }

    /// Returns the document, based on an existing text. Unchanged sections and fields stay as they are, with the
    /// comments around them.
    func woven(into old: JSONDocument, _ document: FeedDocument) -> [UInt8] {
        let text = weave(value, into: old.root, at: .document, margin: 0, document)
        let range = old.root.range
        return Array(old.source[..<range.lowerBound]) + Array(text.utf8) + Array(old.source[range.upperBound...])
    }

    private func weave(_ value: JSONValue, into old: JSONNode, at level: Level, margin: Int, _ before: FeedDocument) -> String {
        let source = old.document.source
        switch (value, old.kind, level) {
        case (.object(let members), .object, .document), (.object(let members), .object, .section):
            // A section of format 1 means something else in format 2.
            let hasFormat = old.document.root[FeedDocument.formatKey] != nil
            if level == .section, hasFormat, isSame(old, as: before) { return old.written }
            let comments = Comments(source, in: old.range, around: old.members.map { $0.offset..<$0.value.range.upperBound })
            let places = old.members.map { $0 }
            let strands = members.map { member in
                guard let index = places.firstIndex(where: { $0.hasKey(member.key) }) else {
                    return CommentedNode(text: Self.text(of: member, at: level, margin: margin + 2))
                }
                let node = places[index].value
                let text =
                    level == .document && member.key == "sections"
                    ? Self.line(of: .string(member.key)) + ": "
                        + weave(member.value, into: node, at: .sections, margin: margin + 2, before)
                    : node.canonical() == Self.canonical(member.value)
                        ? String(decoding: source[places[index].offset..<node.range.upperBound], as: UTF8.self)
                        : Self.text(of: member, at: level, margin: margin + 2)
                return comments.strand(of: index, text)
            }
            return Self.join(strands, within: "{}", comments.end, margin: margin)
        case (.array(let elements), .array, .sections) where !elements.isEmpty:
            let nodes = old.elements.map { $0 }
            let comments = Comments(source, in: old.range, around: nodes.map(\.range))
            let strands = elements.map { element in
                guard let index = nodes.firstIndex(where: { $0["key"]?.string == element.sectionKey }) else {
                    return CommentedNode(text: Self.text(of: element, at: .section, margin: margin + 2))
                }
                return comments.strand(of: index, weave(element, into: nodes[index], at: .section, margin: margin + 2, before))
            }
            return Self.join(strands, within: "[]", comments.end, margin: margin)
        default: return Self.text(of: value, at: level, margin: margin)
        }
    }

    /// Whether a section is unchanged, regardless of its format.
    private func isSame(_ section: JSONNode, as before: FeedDocument) -> Bool {
        let key = section["key"]?.string
        guard let old = before.sections.first(where: { $0.key.text == key }) else { return false }
        return file.document.sections.contains(old)
    }

    private static func canonical(_ value: JSONValue) -> [UInt8]? {
        do throws(JSONError) { return try value.canonicalJSON() } catch { return nil }
    }

    private static func join(_ strands: [CommentedNode], within brackets: String, _ end: String, margin: Int) -> String {
        let inner = String(repeating: " ", count: margin + 2)
        var text = "\(brackets.prefix(1))\n"
        for (index, strand) in strands.enumerated() {
            let comma = index + 1 < strands.count ? "," : ""
            text += "\(strand.above)\(inner)\(strand.before)\(strand.text)\(comma)\(strand.after)\n"
        }
        return text + end + String(repeating: " ", count: margin) + brackets.suffix(1)
    }

    private struct Comments {
        private var strands: [(above: String, before: String, after: String)] = []
        /// The whole lines below the last child.
        private(set) var end = ""

        init(_ source: [UInt8], in container: Range<Int>, around children: [Range<Int>]) {
            var position = container.lowerBound + 1
            for (index, child) in children.enumerated() {
                let between = Self.parts(source[position..<child.lowerBound])
                if index > 0 { strands[index - 1].after = between.after }
                // The text after the bracket moves to the next line.
                let first = index > 0 || between.after.isEmpty ? "" : "    \(between.after.dropFirst())\n"
                strands.append((first + between.above, between.before, ""))
                position = child.upperBound
            }
            let last = Self.parts(source[position..<container.upperBound - 1])
            if !strands.isEmpty { strands[strands.count - 1].after = last.after }
            end = last.above
        }

        func strand(of index: Int, _ text: String) -> CommentedNode {
            let (above, before, after) = strands[index]
            return CommentedNode(above: above, before: before, text: text, after: after)
        }

        /// Returns the text between two children: the end of the first line, whole lines, and the start of the last
        /// line.
        private static func parts(_ bytes: ArraySlice<UInt8>) -> (after: String, above: String, before: String) {
            var lines = withoutComma(bytes).split(separator: 0x0A, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)[...]
            }
            let last = lines.removeLast().trimmed
            let before = last.isEmpty ? "" : "\(last) "
            guard let first = lines.first?.trimmed else { return ("", "", before) }
            let above = lines.dropFirst().map { "\($0)\n" }.joined()
            return (first.isEmpty ? "" : " \(first)", above.allSatisfy(\.isWhitespace) ? "" : above, before)
        }

        /// Returns the bytes without the only comma that is outside of comments.
        private static func withoutComma(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var rest = bytes
            var retained: [UInt8] = []
            while let byte = rest.first {
                let end: [UInt8]? =
                    rest.starts(with: Array("//".utf8)) ? [0x0A] : rest.starts(with: Array("/*".utf8)) ? Array("*/".utf8) : nil
                guard let end else {
                    if byte != UInt8(ascii: ",") { retained.append(byte) }
                    rest.removeFirst()
                    continue
                }
                var length = 2
                while length < rest.count, !rest.dropFirst(length).starts(with: end) { length += 1 }
                // The end of a line is left for the next iteration.
                if end.count == 2 { length = min(length + 2, rest.count) }
                retained += rest.prefix(length)
                rest = rest.dropFirst(length)
            }
            return retained
        }
    }
}

extension JSONNode {
    fileprivate var written: String { String(decoding: document.source[range], as: UTF8.self) }
}

extension JSONValue {
    fileprivate var sectionKey: String? { self["key"]?.text }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
