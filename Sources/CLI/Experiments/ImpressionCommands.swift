internal import Arguments
internal import Feeds
import Host
internal import JSON
internal import Values

/// `vitrine impression`: the publications that clients have shown.
struct ImpressionCommands {
    let console: Console

    var command: Command {
        Command(
            "impression", "Identify the publication that a client has shown",
            discussion: """
                Each page has an impression, which identifies its storefront, its feed and its publication. Clients send the impression \
                with their events to your analytics. Vitrine does not collect events.
                """,
            examples: [Example("vitrine impression show \"$IMPRESSION\"", "Show the publication of an impression.")],
            subcommands: [show])
    }

    private static let id = Argument("ID", .text, "The value of the field impression of a page, or IMPRESSION/PLACEMENT for a placement.")

    private var show: Command {
        Command(
            "show", "Show the publication of an impression",
            examples: [
                Example("vitrine impression show \"$IMPRESSION\"", "Show the feed, the storefront and the publication."),
                Example("vitrine impression show \"$IMPRESSION/today/hero/k8\" -o json", "Show a placement as JSON."),
            ],
            arguments: [Self.id], options: [OutputFormat.option] + RemoteSession.options
        ) { invocation in
            let id = invocation[Self.id]
            let response = try RemoteSession(console: console).run(invocation) { try await $0.state("impressions/\(id.percentEncoded())") }
            let found: DescribedImpression = try response.value()
            switch invocation[OutputFormat.option] {
            case .table: try console.print(Self.text(of: found))
            case .json: try console.printJSON(JSONValue(response.document))
            }
            return .ok
        }
    }

    private static func text(of found: DescribedImpression) -> String {
        let impression = found.impression
        var lines = [
            "feed         \(impression.feed.printable())", "storefront   \(impression.storefront.printable())",
            "revision     \(impression.revision)",
        ]
        if let publication = found.publication {
            let span = publication.spans.first { $0.storefront == impression.storefront }
            let end = (span.map { $0.until?.description } ?? publication.until?.description).map { " until \($0)" } ?? ""
            let start = span?.from.description ?? publication.from.description
            lines.append("publication  \(publication.id), \(publication.layer.rawValue), from \(start)\(end)")
        } else {
            lines.append("publication  \(impression.publication), which no longer exists")
        }
        if let placement = found.placement { lines.append("placement    \(placement.printable())") }
        return lines.joined(separator: "\n") + "\n"
    }
}
