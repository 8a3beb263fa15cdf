internal import Commands
import Host
internal import JSON
internal import Layout
internal import Spelling

/// Where a command gets its layout from: a file, standard input, or a preset.
struct LayoutSource {
    let name: String

    /// What a message calls it.
    var title: String { name == "-" ? "standard input" : name }

    static let file = Operand("FILE", .file, "The document; - is standard input.")

    /// Strictly, with every mistake in one failure.
    func document() throws -> LayoutDocument {
        let source = try Files.read(name == "-" ? "/dev/stdin" : name, limit: JSONLimits.solving.bytes)
        do throws(JSONError) {
            return try LayoutDocument(parsing: source, limits: .solving)
        } catch {
            throw LayoutRefusal(source: title, error: error)
        }
    }

    /// A preset of that name, or else a file.
    func presetOrDocument() throws -> LayoutDocument {
        if let preset = Preset.named(name) { return .choice(LayoutChoice(.preset(PresetChoice(preset)))) }
        guard name == "-" || FileStatus(following: name) != nil else { throw Self.unknownPreset(name) }
        return try document()
    }

    static func unknownPreset(_ name: String) -> UnknownPreset {
        UnknownPreset(name: name, suggestion: name.nearest(among: Preset.all.map(\.name)))
    }
}

/// A name that is neither a preset's nor a file's.
struct UnknownPreset: Error {
    let name: String
    let suggestion: String?

    func complain(on console: Console) -> ExitCode {
        let advice = suggestion.map { "Did you mean \($0)?" } ?? "\(console.program) layout ls lists the presets."
        console.complain("there is no preset and no file called \(name.printable(limit: 80))", advice: advice)
        return .notFound
    }
}

/// A document that is not what it should be, with everything that is wrong.
struct LayoutRefusal: Error {
    let source: String
    let error: JSONError

    func complain(on console: Console) -> ExitCode {
        console.say(error.mistakes.map { "\(source): \($0)\n" }.joined())
        if error.omitted > 0 { console.say("\(source): … and \(error.omitted) more\n") }
        return .invalid
    }
}

extension Console {
    /// Runs what reads layouts, and explains what it was given that is no layout.
    func explaining(_ body: () throws -> ExitCode) throws -> ExitCode {
        do {
            return try body()
        } catch let refusal as LayoutRefusal {
            return refusal.complain(on: self)
        } catch let unknown as UnknownPreset {
            return unknown.complain(on: self)
        }
    }

    func printJSON(_ value: some JSONEncodable) throws {
        try StandardStream.output.write(try value.json(.pretty) + [UInt8(ascii: "\n")])
    }
}

extension Notation<String> {
    /// A preset's name, which the shell completes.
    static var preset: Notation {
        Notation.text.named("NAME").completed(by: .live { _, _ in Preset.all.map { Candidate($0.name, $0.abstract) } })
    }
}
