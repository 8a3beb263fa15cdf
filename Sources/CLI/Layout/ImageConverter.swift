import Host

/// A program on this machine that converts SVG to PNG.
struct ImageConverter {
    let program: String
    private let arguments: @Sendable (_ svg: String, _ png: String) -> [String]

    static let advice = "install one with 'apt-get install librsvg2-bin', or save an .svg file instead"

    /// Finds the best installed converter; nil if no converter is installed.
    init?(searching path: String) {
        let known: [(String, @Sendable (String, String) -> [String])] = [
            ("rsvg-convert", { ["--zoom", "2", "--output", $1, $0] }), ("resvg", { ["--zoom", "2", $0, $1] }),
            ("inkscape", { ["--export-dpi=192", "--export-filename=\($1)", $0] }), ("magick", { ["-density", "192", $0, $1] }),
        ]
        let folders = path.split(separator: ":").map(String.init)
        for (name, arguments) in known {
            guard let folder = folders.first(where: { Files.may(.execute, Path.join($0, name)) }) else { continue }
            program = Path.join(folder, name)
            self.arguments = arguments
            return
        }
        return nil
    }

    /// Returns the converter of this machine, or reports that it has none.
    static func find(_ console: Console) -> ImageConverter? {
        let converter = ImageConverter(searching: console.environment["PATH"] ?? "")
        if converter == nil { console.printError("no program on this machine converts SVG to PNG", advice: advice) }
        return converter
    }

    func convert(_ svg: String, to name: String) throws {
        // The prefix keeps a converter from reading the name as an option.
        let path = name.hasPrefix("-") ? "./\(name)" : name
        let draft = "\(path).\(SystemInfo.processID).svg"
        try AtomicFileWriter(draft).write(svg)
        let result: (text: String, status: ProcessStatus)
        do throws(HostError) {
            result = try ProcessLaunch(program, arguments(draft, path)).output(within: .seconds(60))
            try Files.remove(draft)
        } catch {
            try Files.remove(draft)
            throw error
        }
        guard result.status.isSuccess else { throw ConversionFailure(program: program, text: result.text) }
    }
}

struct ConversionFailure: Error, CustomStringConvertible {
    let program: String
    let text: String

    var description: String { "\(program) failed to convert the picture: \(text)" }
}

/// A file that replaces an older one once it is complete.
struct AtomicFileWriter {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    func write(_ text: String) throws(HostError) {
        if path == "-" { return try StandardStream.output.write(text) }
        let draft = "\(path).\(SystemInfo.processID).part"
        try Files.remove(draft)
        try Descriptor(opening: draft, .create).write(Array(text.utf8), subject: draft)
        try Files.rename(draft, to: path)
    }
}
