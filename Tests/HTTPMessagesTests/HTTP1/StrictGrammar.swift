/// The heads that a strict reader may accept, defined by regular expressions instead of code.
struct StrictGrammar {
    private let head =
        #/
        (?:\r\n)?
        (?<method> [!\#$%&'*+.^_`|~0-9A-Za-z\-]{1,32} ) \x20
        (?<target> [!$%&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]+ ) \x20
        HTTP/1\.(?<minor> [0-9] ) \r\n
        (?<fields> (?: [!\#$%&'*+.^_`|~0-9A-Za-z\-]+ : [\t\x20-\x7E\x{80}-\x{FF}]* \r\n )* )
        \r\n
        /#
        .matchingSemantics(.unicodeScalar)
    private let target =
        #/
        (?: (?: (?i: https?://) (?<authority> [^/?]+ ) )? (?<path> (?: / [^?\[\]]* )? ) (?: \? .* )? | \* )
        /#
        .matchingSemantics(.unicodeScalar)
    private let authority = #/(?:\[[0-9A-Fa-f:.]{2,}\]|[A-Za-z0-9\-._]+)(?::[0-9]{0,5})?/#.matchingSemantics(.unicodeScalar)

    /// Whether the bytes are exactly one head.
    func accepts(_ bytes: some Sequence<UInt8>) -> Bool {
        let text = String(latin1: bytes)
        guard text.unicodeScalars.count <= 16_386, let match = text.wholeMatch(of: head) else { return false }
        let fields = match.fields.unicodeScalars.split(separator: "\n").map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]).lowercased(), String(parts[1]).trimmingBlanks)
        }
        return fields.count <= 100 && acceptsTarget(String(match.target)) && acceptsFields(fields, isHTTP10: match.minor == "0")
    }

    private func acceptsTarget(_ text: String) -> Bool {
        guard text.utf8.count <= 8_192, let match = text.wholeMatch(of: target), !escapesAreMalformed(text) else { return false }
        let segments = (match.path ?? "").split(separator: "/").map { $0.replacing(/%2[Ee]/, with: ".") }
        guard !segments.contains("."), !segments.contains("..") else { return false }
        return match.authority.map { $0.wholeMatch(of: authority) != nil } ?? true
    }

    private func escapesAreMalformed(_ text: String) -> Bool {
        text.replacing(/%[0-9A-Fa-f]{2}/, with: "").contains("%") || text.contains("%00")
    }

    private func acceptsFields(_ fields: [(name: String, value: String)], isHTTP10: Bool) -> Bool {
        let hosts = fields.filter { $0.name == "host" }.map(\.value)
        let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
        let codings = fields.filter { $0.name == "transfer-encoding" }.map { $0.value.lowercased() }
        guard hosts.count == 1 || hosts.isEmpty && isHTTP10, hosts.allSatisfy({ $0.isEmpty || $0.wholeMatch(of: authority) != nil }),
            lengths.allSatisfy({ $0.wholeMatch(of: /[0-9]{1,18}/) != nil }), codings.allSatisfy({ $0 == "chunked" })
        else { return false }
        return lengths.count + codings.count <= 1 && (codings.isEmpty || !isHTTP10)
            && fields.allSatisfy { $0.name != "expect" || $0.value.lowercased() == "100-continue" }
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        let blanks: Set<Unicode.Scalar> = [" ", "\t", "\r"]
        var scalars = unicodeScalars[...]
        while let first = scalars.first, blanks.contains(first) { scalars.removeFirst() }
        while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
        return String(scalars)
    }
}
