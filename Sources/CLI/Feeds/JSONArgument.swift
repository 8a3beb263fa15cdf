internal import Arguments
import Host
internal import JSON
internal import Values

/// A JSON value as typed, from the file after an @, or from standard input for -. It may have comments, as exported
/// files do.
enum JSONArgument {
    private static let limits = JSONLimits(bytes: 1 << 20)

    /// Parses a value; `name` is the option or argument, for the error message.
    static func value(_ text: String, of name: String) throws(RemoteError) -> JSONValue {
        guard text == "-" || text.hasPrefix("@") else { return try read(Array(text.utf8), name) }
        return try file(text == "-" ? "-" : String(text.dropFirst()))
    }

    /// Parses a value. A word that is not JSON is a string.
    static func valueOrWord(_ text: String, of name: String) throws(RemoteError) -> JSONValue {
        let isWord = text.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } ?? true
        return isWord && !["true", "false", "null"].contains(text) ? .string(text) : try value(text, of: name)
    }

    /// Throws if two values would be read from standard input.
    static func checkStandardInput(_ texts: [String?], _ invocation: Invocation) throws(UsageError) {
        if texts.count(where: { $0 == "-" }) > 1 { throw invocation.usageError("only one option can read standard input") }
    }

    /// Reads a value from a file, or from standard input for `-`.
    static func file(_ path: String) throws(RemoteError) -> JSONValue {
        let title = path == "-" ? "standard input" : path.printable(limit: 80)
        let bytes: [UInt8]
        do throws(HostError) { bytes = try Files.read(typed: path, limit: limits.bytes) } catch {
            let message =
                switch error.code {
                case .fileTooLarge: "\(title) is larger than 1 MiB"
                default: error.message()
                }
            throw RemoteError(message: message, advice: "", exitCode: error.code == .notFound ? .notFound : .invalid)
        }
        guard !bytes.isEmpty else {
            throw RemoteError(message: "\(title) is empty", advice: "the file must contain JSON", exitCode: .invalid)
        }
        return try read(bytes, title)
    }

    private static func read(_ bytes: [UInt8], _ title: String) throws(RemoteError) -> JSONValue {
        do throws(JSONError) { return JSONValue(try JSONDocument(parsing: bytes, limits: limits, notation: .commented).root) } catch {
            let details = "\(error)".split(separator: "\n").map(String.init)
            throw RemoteError(message: "\(title) is not valid JSON", advice: "", exitCode: .invalid, details: details)
        }
    }
}
