internal import Arguments
internal import Feeds
import Host
internal import Items
internal import JSON
internal import Values

/// `vitrine section explain`: the reasons for the items of a section.
struct SectionExplanationCommand {
    let console: Console

    var command: Command {
        Command(
            "explain", "Tells for each slot of a section which pin or rule put the item there, and what lost.",
            discussion: "Unless a revision or a line is named, it is what is shown at the moment. A time is \(TimeArgument.forms).",
            examples: [
                Example("vitrine section explain today order-in", "Explains what is shown now."),
                Example("vitrine section explain today order-in --storefront sa --line main", "Explains a draft in another storefront."),
            ],
            operands: [FeedOptions.feed, FeedOptions.section],
            options: PreviewOptions.options + [OutputFormat.option] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let options = try PreviewOptions(invocation, TimeArgumentParser(invocation, console))
        let section = invocation[FeedOptions.section]
        let (answer, titles) = try RemoteSession(console: console).run(invocation) { server in
            let query = try await options.query(server)
            let answer: FeedExplanation = try await server.state("feeds/\(options.feed):explain", query).value()
            return (answer, try await server.titles(in: answer, of: section))
        }
        guard let explained = answer.sections.first(where: { $0.section.text == section }) else {
            let keys = answer.sections.map(\.section.text)
            throw RemoteError(
                message: "there is no section \(section.printable(limit: 60)) in this revision of \(options.feed) for the storefront",
                advice: section.nearest(among: keys).map { "Did you mean \($0)?" } ?? "There are \(keys.joined(separator: ", ")).",
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
    /// Returns the titles of a section's items by their ids. Unavailable items are omitted.
    fileprivate func titles(in answer: FeedExplanation, of section: String) async throws -> [String: String] {
        guard let explained = answer.sections.first(where: { $0.section.text == section }) else { return [:] }
        let ids = explained.slots.map(\.item) + explained.omitted.compactMap(\.item)
        return try await items(ids.map(\.description), in: answer.storefront, answer.locale.text).mapValues(\.title)
    }
}
