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

    private static let device = Option("device", .screen, default: "iphone", "The screen of the preview.")
    private static let client = Option(
        "client", .text.named("HEADER"),
        "The Vitrine-Client header of the request, such as 'platform=ios, app=\"3.2\"'. It decides the sections with a target.")
    private static let save = Option(
        "save", .file, "Save the preview to a file. The extension chooses svg, html, png (requires librsvg2-bin), or json for the page.")

    var command: Command {
        Command(
            "preview", "Preview a page",
            discussion: """
                Draws the page in the terminal. Default: the live revision at the time, and the storefront of the profile or else the first one in \
                English. A time is \(TimeArgument.forms). Carousels are cut at the edge of the screen.
                """,
            examples: [
                Example("vitrine preview today", "Preview the live page."),
                Example("vitrine preview today --at +2h --storefront sa --locale ar", "Preview the page in two hours, in Arabic."),
                Example("vitrine preview today --line main --device ipad --save today.svg", "Save a picture of a draft."),
            ],
            arguments: [FeedOptions.feed],
            options: PreviewOptions.options + [Self.device, Self.client, Self.save] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let times = try TimeArgumentParser(invocation, console)
        let options = try PreviewOptions(invocation, times)
        let client = invocation[Self.client]
        guard client?.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) ?? true else {
            throw invocation.usageError("invalid value for '--client': expected one line of ASCII characters")
        }
        // The file is checked before the request.
        let picture = try PictureFile(invocation, Self.save)
        let converter = picture?.format == .png ? ImageConverter.find(console) : nil
        if picture?.format == .png, converter == nil { return .failed }
        let (found, document) = try RemoteSession(console: console).run(invocation) { server in
            let page = try await server.page(of: options.feed, options.query(server), client: client)
            return (page, try await server.revision(page["revision"]?.integer ?? 0, of: options.feed).document)
        }
        let page = ClientPage(found.document)
        for note in page.notes(on: document) { console.printStatus("\(note)\n") }
        let preview = try SolvedPreview(
            page, device: invocation[Self.device], at: options.at.map { "\($0.clock(in: times.zone)) \(times.zone.name)" })
        guard let picture else {
            let width = StandardStream.output.width ?? 80
            try console.print(TextRenderer(preview.scene, width: width, isColored: console.isColored(.output)).text)
            return .ok
        }
        try picture.save(preview.scene, converter) { String(decoding: try JSONValue(found).json(.pretty), as: UTF8.self) + "\n" }
        try console.print("Saved \(picture.path.printable(limit: 200)).\n")
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
                message: "cannot draw this page: \(error.code.rawValue)", advice: "find the cause with 'vitrine validate'",
                exitCode: .invalid)
        }
    }
}

extension ClientPage {
    fileprivate func notes(on document: FeedDocument) -> [String] {
        let shown = Set(sections.compactMap { $0.id.split(separator: "/").dropFirst().first.map(String.init) })
        return document.sections.filter { !shown.contains($0.key.text) }.map { section in
            let reason =
                if let target = section.target {
                    if !target.isFor(storefront) {
                        "its target is other storefronts"
                    } else if target.asksClients {
                        "its target is some clients only (see --client), or it has too few items"
                    } else {
                        "its target is other clients, or it has too few items"
                    }
                } else {
                    "it has too few items"
                }
            return "note: section '\(section.key)' is not on the page: \(reason)"
        }
    }
}
