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

    private static let source = Argument("FILE|NAME", .layout, "The layout file, a preset, or - for standard input.")
    private static let device = Option("device", .screen, "The screen of the preview. Default: the screen of the document, else iphone.")
    private static let items = Option(
        "items", .integer(in: 0...1_000), "The number of items of each section. Default: the numbers of the document, else 20.")
    private static let save = Option(
        "save", .file, "Save the preview to a file. The extension chooses svg, html, png (requires librsvg2-bin), or json for the frames.")

    var command: Command {
        Command(
            "preview", "Preview a layout",
            examples: [
                Example("vitrine layout preview feature-pair-carousel", "Draw a preset in the terminal."),
                Example("vitrine layout preview --device ipad --items 12 mine.json", "Draw a layout file on another screen."),
                Example("vitrine layout preview tree-carousel --save tree.svg", "Save a picture."),
                Example("vitrine layout preview tree-carousel --save tree.html", "Save a page that scrolls."),
            ],
            arguments: [Self.source], options: [Self.device, Self.items, Self.save]
        ) { invocation in
            try console.explaining { try draw(invocation) }
        }
    }

    private func draw(_ invocation: Invocation) throws -> ExitCode {
        // The file is checked before anything is drawn.
        let picture = try PictureFile(invocation, Self.save)
        let converter = picture?.format == .png ? ImageConverter.find(console) : nil
        if picture?.format == .png, converter == nil { return .failed }
        let source = LayoutSource(name: invocation[Self.source])
        var request = try PreviewRequest(
            source.presetOrDocument(), device: invocation[Self.device], itemCount: invocation[Self.items], matrix: ScreenMatrix.builtIn())
        request.title = source.name == "-" ? "standard input" : source.name.lastPathComponent.printable(limit: 60)
        let scene: PreviewScene
        do throws(LayoutError) { scene = try PreviewScene(request) } catch {
            console.printError(
                "cannot draw this layout: \(error.code.rawValue)", advice: "find the cause with '\(console.program) layout lint'")
            return .invalid
        }
        if let picture {
            try picture.save(converter) { format in
                switch format {
                case .svg, .png: SVGRenderer(scene).text
                case .html: HTMLRenderer(scene).text
                case .json: String(decoding: try request.solve().json(.pretty), as: UTF8.self) + "\n"
                }
            }
            try console.print("Saved \(picture.path.printable(limit: 200)).\n")
            return .ok
        }
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
