internal import Arguments
internal import Drawing
import Host
internal import JSON
internal import Layout
internal import ScreenFiles
internal import Values

/// `vitrine layout preview`: a rendering of a layout.
struct PreviewCommand {
    let console: Console

    private static let source = Argument("FILE|NAME", .layout, "The document or the preset; - is standard input.")
    private static let device = Option("device", .screen, "The screen to draw it on; iphone where the document does not say.")
    private static let items = Option(
        "items", .integer(in: 0...1_000), "How many items each section has; 20 where the document does not say.")
    private static let svg = Option("svg", .file, "Writes a picture that stands alone; - is standard output.")
    private static let html = Option("html", .file, "Writes a page whose scrollers scroll; - is standard output.")
    private static let png = Option("png", .file, "Writes pixels, by a converter that is installed, such as librsvg2-bin.")

    var command: Command {
        Command(
            "preview", "Draws a layout in the terminal or as a picture.",
            examples: [
                Example("vitrine layout preview feature-pair-carousel", "Draws a preset in the terminal."),
                Example("vitrine layout preview --device ipad --items 12 mine.json", "Draws a file on another screen."),
                Example("vitrine layout preview tree-carousel --svg tree.svg", "Makes a picture."),
                Example("vitrine layout preview tree-carousel --html tree.html", "Makes a page to scroll in."),
            ],
            operands: [Self.source], options: [Self.device, Self.items, Self.svg, Self.html, Self.png]
        ) { invocation in
            try console.explaining { try draw(invocation) }
        }
    }

    private func draw(_ invocation: Invocation) throws -> ExitCode {
        // The outputs are checked before anything is drawn or written.
        let pictures = (svg: invocation[Self.svg], html: invocation[Self.html], png: invocation[Self.png])
        if pictures.png == "-" {
            console.printError("a converter writes PNG to a file only", advice: "Name one, such as --png layout.png.")
            return .usage
        }
        let converter = pictures.png == nil ? nil : ImageConverter.find(console)
        if pictures.png != nil, converter == nil { return .failed }
        let source = LayoutSource(name: invocation[Self.source])
        var request = try PreviewRequest(
            source.presetOrDocument(), device: invocation[Self.device], itemCount: invocation[Self.items], matrix: ScreenMatrix.builtIn())
        request.title = source.name == "-" ? "standard input" : source.name.lastPathComponent.printable(limit: 60)
        let scene: PreviewScene
        do throws(LayoutError) { scene = try PreviewScene(request) } catch {
            console.printError("this layout cannot be drawn: \(error.code.rawValue)", advice: "\(console.program) layout lint says more.")
            return .invalid
        }
        if let path = pictures.svg { try AtomicFileWriter(path).write(SVGRenderer(scene).text) }
        if let path = pictures.html { try AtomicFileWriter(path).write(HTMLRenderer(scene).text) }
        if let path = pictures.png { try converter?.convert(SVGRenderer(scene).text, to: path) }
        guard pictures.svg == nil, pictures.html == nil, pictures.png == nil else { return .ok }
        let width = StandardStream.output.width ?? 80
        try console.print(TextRenderer(scene, width: width, isColored: console.isColored(.output)).text)
        return .ok
    }
}

extension ValueFormat<String> {
    fileprivate static var layout: ValueFormat { preset.named("FILE|NAME") }

    static var screen: ValueFormat {
        let names: [String]
        do throws(JSONError) { names = try ScreenMatrix.builtIn().screens.map(\.name) } catch { names = [] }
        var notation = ValueFormat(
            "SCREEN",
            read: { text throws(InvalidValue) in
                guard names.contains(text) else {
                    throw InvalidValue(expected: "one of \(names.joined(separator: ", "))", suggestion: text.nearest(among: names))
                }
                return text
            },
            write: { $0 })
        notation.choices = names
        return notation
    }
}

extension String {
    fileprivate var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
