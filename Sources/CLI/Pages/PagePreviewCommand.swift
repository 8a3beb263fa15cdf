internal import Arguments
internal import Drawing
internal import Feeds
import Host
internal import JSON
internal import Layout
internal import Resolve
internal import ScreenFiles
internal import Values

/// `vitrine preview`: a page as clients see it.
struct PagePreviewCommand {
    let console: Console

    private static let device = Option("device", .screen, default: "iphone", "The screen of the preview.")
    static let client = Option(
        "client", .text.named("HEADER"),
        "The Vitrine-Client header of the request, such as 'platform=ios, app=\"3.2\", id=\"client-1\"'. This header decides which sections with a target are shown."
    )

    /// Returns the header. Throws if it is not one line.
    static func client(_ invocation: Invocation) throws -> String? {
        let client = invocation[Self.client]
        guard client?.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) ?? true else {
            throw invocation.usageError("invalid value for '--client': expected one line of ASCII characters")
        }
        return client
    }

    private static let save = Option(
        "save", .file,
        "Save the preview to a file. The extension chooses the format: svg, html, png (requires librsvg2-bin), or json for the data of the page."
    )
    private static let wireframe = Option(
        flag: "wireframe",
        "Draw the cells as boxes with titles. Mark the end of the screen, and the positions at which horizontal scrolling snaps.")
    private static let fullPage = Option(
        flag: "full-page", "Save the whole page as svg or png. Default: the part that the screen shows first.")

    var command: Command {
        Command(
            "preview", "Preview a page",
            discussion: """
                Draws the page in the terminal. Without options, the command shows the revision that is live now, in the default \
                storefront. A time is \(TimeArgument.forms). Carousels are cut at the edge of the screen.

                A saved picture approximates how an app draws the cells on a phone or a tablet. A cell is the view of one item. The picture \
                includes the images of the items. If an image cannot be loaded, the picture has its color instead.
                """,
            examples: [
                Example("vitrine preview today", "Preview the live page."),
                Example("vitrine preview today --at +2h --storefront sa --locale ar", "Preview the page in two hours, in Arabic."),
                Example("vitrine preview today --line main --device ipad --save today.svg", "Save a picture of a draft."),
                Example("vitrine preview today --save today.html --wireframe", "Save a picture with boxes instead of cells."),
            ],
            arguments: [FeedOptions.feed],
            options: PreviewOptions.options + [Self.device, Self.client, Self.save, Self.wireframe, Self.fullPage] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let times = try TimeArgumentParser(invocation, console)
        let options = try PreviewOptions(invocation, times)
        let client = try Self.client(invocation)
        // The file is checked before the request.
        let picture = try PictureFile(invocation, Self.save)
        try check(picture, invocation)
        let converter = picture?.format == .png ? ImageConverter.find(console) : nil
        if picture?.format == .png, converter == nil { return .failed }
        let session = RemoteSession(console: console)
        let (found, document) = try session.run(invocation) { server in
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
        try picture.save(converter) { format in
            if format == .json { return String(decoding: try JSONValue(found).json(.pretty), as: UTF8.self) + "\n" }
            if invocation[Self.wireframe] { return format == .html ? HTMLRenderer(preview.scene).text : SVGRenderer(preview.scene).text }
            let content = PageContent(page, found.document)
            let form: PagePicture.Form = format == .html ? .html : .svg(isWhole: invocation[Self.fullPage])
            let urls = PagePicture(preview.scene, content).imageURLs(as: form)
            return PagePicture(preview.scene, content, images: try images(urls, session, invocation)).source(as: form)
        }
        try console.print("Saved \(picture.path.printable(limit: 200)).\n")
        return .ok
    }

    private func check(_ picture: PictureFile?, _ invocation: Invocation) throws {
        guard !invocation[Self.wireframe] || picture?.isPicture ?? false else {
            throw invocation.usageError("option '--wireframe' requires '--save' with a .svg, .html or .png file")
        }
        guard invocation[Self.fullPage] else { return }
        guard !invocation[Self.wireframe] else {
            throw invocation.usageError("conflicting options: expected only one of '--wireframe' and '--full-page'")
        }
        guard picture?.format == .svg || picture?.format == .png else {
            throw invocation.usageError("option '--full-page' requires '--save' with a .svg or .png file")
        }
    }

    /// Returns images by their URLs, and reports the missing ones.
    private func images(_ urls: [String], _ session: RemoteSession, _ invocation: Invocation) throws -> [String: String] {
        guard !urls.isEmpty else { return [:] }
        let images = try session.run(invocation) { server in try await PageImages(urls, of: server) }
        for warning in images.warnings { console.printStatus("\(warning)\n") }
        return images.data
    }
}

private struct SolvedPreview {
    let scene: PreviewScene

    init(_ page: ClientPage, device: String, at time: String?) throws {
        let matrix = try ScreenMatrix.builtIn()
        var request = PreviewRequest(page, on: matrix[device] ?? matrix.screens[0], isRightToLeft: page.isRightToLeft)
        let arguments = [page.title, page.storefront, page.locale, "revision \(page.revision)", time].compactMap(\.self)
        request.title = arguments.map { $0.printable(limit: 100) }.joined(separator: " · ")
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
        let visible = Set(sections.compactMap { $0.id.split(separator: "/").dropFirst().first.map(String.init) })
        return document.sections.filter { !visible.contains($0.key.text) }.map { section in
            let reason =
                if let target = section.target {
                    if !target.isFor(storefront) {
                        "its target includes only other storefronts"
                    } else if target.asksClients {
                        "it has a target (see --client), or too few items"
                    } else {
                        "its target includes only other clients, or it has too few items"
                    }
                } else {
                    "it has too few items"
                }
            return "note: section '\(section.key)' is not on the page: \(reason)"
        }
    }
}
