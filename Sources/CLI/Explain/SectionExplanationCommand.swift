internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import Items
internal import JSON
internal import Values

/// `vitrine section explain`: the reasons for the items of a section.
struct SectionExplanationCommand {
    let console: Console

    var command: Command {
        Command(
            "explain", "Explain the items of a section",
            discussion: """
                Shows the pin or rule that placed the item of each slot, and the reason why other items fill no slot. If the section is not \
                on the page, for example because of its target, the output starts with the reason. A time is \(TimeArgument.forms).
                """,
            examples: [
                Example("vitrine section explain today order-in", "Explain a section of the live page."),
                Example(
                    "vitrine section explain today order-in --storefront sa --line main",
                    "Explain a section of the draft in another storefront."),
                Example(
                    "vitrine section explain today weekend --client 'id=\"client-1\", platform=ios'",
                    "Explain a section for a client in an experiment."),
            ],
            arguments: [FeedOptions.feed, FeedOptions.section],
            options: PreviewOptions.options + [PagePreviewCommand.client, OutputFormat.option] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let options = try PreviewOptions(invocation, TimeArgumentParser(invocation, console))
        let section = invocation[FeedOptions.section]
        let client = try PagePreviewCommand.client(invocation)
        let (response, titles) = try RemoteSession(console: console).run(invocation) { server in
            let query = try await options.query(server)
            let response: FeedExplanation = try await server.explanation(of: options.feed, query, client: client)
            return (response, try await server.titles(in: response, of: section))
        }
        guard let explained = response.sections.first(where: { $0.section.text == section }) else {
            let keys = response.sections.map(\.section.text)
            throw RemoteError(
                message: "this revision of feed '\(options.feed)' has no section '\(section.printable(limit: 60))'",
                advice: section.nearest(among: keys).map { "did you mean '\($0)'?" } ?? "the sections are \(keys.joined(separator: ", "))",
                exitCode: .notFound)
        }
        let explanation = ExplanationText(explained, titles: titles)
        switch invocation[OutputFormat.option] {
        case .table: try console.print(explanation.text(width: StandardStream.output.width))
        case .json: try console.printJSON(explanation)
        }
        return .ok
    }
}

extension AdminClient {
    fileprivate func explanation(of feed: FeedKey, _ query: Query, client: String?) async throws -> FeedExplanation {
        let fields: [(name: FieldName, value: String)] = client.map { [(name: "vitrine-client" as FieldName, value: $0)] } ?? []
        return try await send(.get, "feeds/\(feed):explain", query, fields: fields).value()
    }

    /// Returns the titles of a section's items by their IDs. Unavailable items are omitted.
    fileprivate func titles(in response: FeedExplanation, of section: String) async throws -> [String: String] {
        guard let explained = response.sections.first(where: { $0.section.text == section }) else { return [:] }
        let ids = explained.slots.compactMap(\.item) + explained.omitted.compactMap(\.item)
        return try await items(ids.map(\.description), in: response.storefront, response.locale.text).mapValues(\.title)
    }
}
