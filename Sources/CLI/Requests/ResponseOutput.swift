internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Values

/// The form in which a response is printed.
struct ResponseOutput: Sendable {
    /// Whether a JSON body is indented, for a terminal.
    let isIndented: Bool
    /// Whether the status line and the headers are printed.
    let includesHead: Bool
    /// Whether a line break ends the body, so that another one can follow.
    let endsLine: Bool

    func bytes(of response: InboundResponse) -> [UInt8] {
        var bytes = includesHead ? Array(Self.head(of: response).utf8) : []
        var body = response.body
        if isIndented, response.fields[.contentType]?.contains("json") == true {
            do throws(JSONError) {
                body = try JSONValue(JSONDocument(parsing: body, limits: .ownOutput).root).json(.pretty)
            } catch {
                // The body is printed as it is.
            }
        }
        bytes += body
        if isIndented || endsLine, let last = body.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    /// Returns the status line and the headers. The body is decoded, so the headers of its coding are omitted.
    private static func head(of response: InboundResponse) -> String {
        let isCoded = response.fields.contains(.contentEncoding)
        var lines = ["HTTP/1.1 \(response.status)"]
        response.fields.forEach { name, value in
            let name = name.text
            if !isCoded || !["content-encoding", "content-length"].contains(name.lowercased()) { lines.append("\(name): \(value.text)") }
        }
        return lines.map { $0.printable() + "\n" }.joined() + "\n"
    }
}
