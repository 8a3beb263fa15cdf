internal import Arguments
import Host
internal import JSON
internal import Layout
internal import Values

struct LayoutSource {
    let name: String

    var title: String { name == "-" ? "standard input" : name }

    static let file = Argument("FILE", .file, "The layout file, or - for standard input.")

    /// Returns the text, up to the maximum size of a document.
    func text() throws(UnreadableDocument) -> [UInt8] {
        do throws(HostError) {
            return try Files.read(typed: name, limit: JSONLimits.solving.bytes)
        } catch {
            throw UnreadableDocument(source: title, error: error)
        }
    }

    /// Parses the document strictly. Throws all issues together.
    func document() throws -> LayoutDocument {
        let source = try text()
        do throws(JSONError) {
            return try LayoutDocument(parsing: source, limits: .solving)
        } catch {
            throw InvalidLayoutError(source: title, error: error)
        }
    }

    /// Returns the preset of that name, or else the document of the file.
    func presetOrDocument() throws -> LayoutDocument {
        if let preset = Preset.named(name) { return .choice(LayoutChoice(.preset(PresetChoice(preset)))) }
        guard name == "-" || FileStatus(following: name) != nil else { throw Self.unknownPreset(name, orFile: true) }
        return try document()
    }

    static func unknownPreset(_ name: String, orFile mayBeFile: Bool = false) -> UnknownPreset {
        UnknownPreset(name: name, mayBeFile: mayBeFile, suggestion: name.nearest(among: Preset.all.map(\.name)))
    }
}

struct UnreadableDocument: Error {
    let source: String
    let error: HostError

    func printError(on console: Console) -> ExitCode {
        switch error.code {
        case .notFound:
            console.printError(error.message(), advice: "use - for standard input")
            return .notFound
        case .fileTooLarge:
            let limit = JSONLimits.solving.bytes >> 20
            console.printError(
                "\(source.printable(limit: 80)) is larger than \(limit) MiB", advice: "the maximum size of a document is \(limit) MiB")
            return .invalid
        default:
            console.printError("\(error)", advice: "")
            return .failed
        }
    }
}

/// An error for a name that is neither a preset nor, if files are accepted, a file.
struct UnknownPreset: Error {
    let name: String
    let mayBeFile: Bool
    let suggestion: String?

    func printError(on console: Console) -> ExitCode {
        let advice = suggestion.map { "did you mean '\($0)'?" } ?? "list the presets with '\(console.program) layout ls'"
        console.printError("unknown preset\(mayBeFile ? " or file" : "") '\(name.printable(limit: 80))'", advice: advice)
        return .notFound
    }
}

/// An invalid document, with all of its issues.
struct InvalidLayoutError: Error {
    let source: String
    let error: JSONError

    func printError(on console: Console) -> ExitCode {
        console.printStatus(InvalidFilesError.lines(of: error, in: source).map { "\($0)\n" }.joined())
        return .invalid
    }
}

extension Console {
    /// Runs a body that parses layouts, and prints its errors.
    func explaining(_ body: () throws -> ExitCode) throws -> ExitCode {
        do {
            return try body()
        } catch let error as InvalidLayoutError {
            return error.printError(on: self)
        } catch let unreadable as UnreadableDocument {
            return unreadable.printError(on: self)
        } catch let unknown as UnknownPreset {
            return unknown.printError(on: self)
        }
    }

    func printJSON(_ value: some JSONEncodable) throws {
        try StandardStream.output.write(try value.json(.pretty) + [UInt8(ascii: "\n")])
    }
}

extension ValueFormat<String> {
    static var preset: ValueFormat {
        ValueFormat.text.named("NAME").completed(by: .live { _, _ in Preset.all.map { CompletionCandidate($0.name, $0.abstract) } })
    }
}

/// A splitter of incoming bytes into lines. It omits empty lines.
struct LineSplitter {
    private var rest: [UInt8] = []
    /// The maximum length in bytes. A longer line is truncated, and its parser rejects it as too large.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func consume(_ chunk: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var remaining = chunk
        while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
            append(remaining[..<end])
            lines += self.end()
            remaining = remaining[(end + 1)...]
        }
        append(remaining)
        return lines
    }

    /// Returns the last line, if it has no line ending.
    mutating func end() -> [[UInt8]] {
        defer { rest = [] }
        return rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") } ? [] : [rest]
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        rest += bytes.prefix(max(0, limit + 1 - rest.count))
    }
}
