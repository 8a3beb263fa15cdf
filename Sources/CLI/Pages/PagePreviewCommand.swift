internal import Arguments
internal import Drawing
internal import Feeds
import Host
internal import JSON
internal import Layout
internal import ScreenFiles
internal import Values

/// `vitrine preview`: a page as clients see it.
struct PagePreviewCommand {
    let console: Console

    private static let device = Option("device", .screen, default: "iphone", "The screen to draw it on.")
    private static let client = Option(
        "client", .text.named("FACTS"),
        "What a client says of itself, as 'platform=ios, app=\"3.2\"'; sections with a target are for those who say so.")
    private static let output = Option(
        "output", .file,
        "Writes a picture instead, by the file's name: .svg, .html, .png (with librsvg2-bin), or .json for the page itself.")

    var command: Command {
        Command(
            "preview", "Draws a page of a feed with what it would show.",
            discussion: """
                Unless a revision or a line is named, it is what is shown at the moment: the takeover then, or the base. A time is \
                \(TimeArgument.forms). The storefront is that of the profile, or the first in English, unless one is named. Carousels are drawn to the edge of the screen.
                """,
            examples: [
                Example("vitrine preview today", "Draws what is shown now."),
                Example("vitrine preview today --at +2h --storefront sa --locale ar", "Draws what is shown later, in Arabic."),
                Example("vitrine preview today --line main --device ipad --output today.svg", "Makes a picture of a draft."),
            ],
            operands: [FeedOptions.feed],
            options: PreviewOptions.options + [Self.device, Self.client, Self.output] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let times = try TimeArgumentParser(invocation, console)
        let options = try PreviewOptions(invocation, times)
        let client = invocation[Self.client]
        guard client?.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) ?? true else { throw invocation.usageError("--client is one line of ASCII.") }
        // The output is checked before the request.
        let takesPNG = invocation[Self.output]?.split(separator: ".").last == "png"
        let converter = takesPNG ? ImageConverter.find(console) : nil
        if takesPNG, converter == nil { return .failed }
        let (found, document) = try RemoteSession(console: console).run(invocation) { server in
            let page = try await server.page(of: options.feed, options.query(server), client: client)
            return (page, try await server.revision(page["revision"]?.integer ?? 0, of: options.feed).document)
        }
        let page = ClientPage(found.document)
        for note in page.notes(on: document) { console.printStatus("\(note)\n") }
        let picture = try SolvedPreview(
            page, device: invocation[Self.device], at: options.at.map { "\($0.clock(in: times.zone)) \(times.zone.name)" })
        guard let path = invocation[Self.output] else {
            let width = StandardStream.output.width ?? 80
            try console.print(TextRenderer(picture.scene, width: width, isColored: console.isColored(.output)).text)
            return .ok
        }
        return try write(picture, found, to: path, converter, invocation)
    }

    private func write(
        _ picture: SolvedPreview, _ page: JSONNode, to path: String, _ converter: ImageConverter?, _ invocation: Invocation
    ) throws -> ExitCode {
        switch path.split(separator: ".").last {
        case "svg": try AtomicFileWriter(path).write(SVGRenderer(picture.scene).text)
        case "html": try AtomicFileWriter(path).write(HTMLRenderer(picture.scene).text)
        case "json": try AtomicFileWriter(path).write(String(decoding: try JSONValue(page).json(.pretty), as: UTF8.self) + "\n")
        case "png": try converter?.convert(SVGRenderer(picture.scene).text, to: path)
        default: throw invocation.usageError("--output takes a file that ends in .svg, .html, .png or .json.")
        }
        console.printStatus("Wrote \(path.printable(limit: 200)).\n")
        return .ok
    }
}

private struct SolvedPreview {
    let scene: PreviewScene

    init(_ page: ClientPage, device: String, at time: String?) throws {
        let matrix = try ScreenMatrix.builtIn()
        var request = PreviewRequest(page, on: matrix[device] ?? matrix.screens[0], isRightToLeft: page.isRightToLeft)
        let words = [page.title, page.storefront, page.locale, "revision \(page.revision)", time].compactMap(\.self)
        request.title = words.map { $0.printable(limit: 100) }.joined(separator: " · ")
        do throws(LayoutError) {
            scene = try PreviewScene(request)
        } catch {
            throw RemoteError(
                message: "this page cannot be drawn: \(error.code.rawValue)", advice: "vitrine validate says more.", exitCode: .invalid)
        }
    }
}

extension ClientPage {
    fileprivate func notes(on document: FeedDocument) -> [String] {
        let shown = Set(sections.compactMap { $0.id.split(separator: "/").dropFirst().first.map(String.init) })
        return document.sections.filter { !shown.contains($0.key.text) }.map { section in
            guard let target = section.target else { return "\(section.key) is not on the page: it finds too little to show." }
            if !target.isFor(storefront) { return "\(section.key) is not on the page: it is for other storefronts." }
            return
                "\(section.key) is not on the page: \(target.asksClients ? "it is for some clients only, as --client has them" : "it is for other readers"), or finds too little."
        }
    }
}
