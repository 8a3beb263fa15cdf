import Feeds
import JSON
import Resolve
import VitrineClient

/// The pages of a feed in a local copy, for clients that have different places in experiments.
struct ArmPages {
    private static let clients = (0..<8).map { "client-\($0)" }

    private let feed: String
    /// The sections of the feed that are for the clients of an arm.
    let sections: Set<String>
    /// The page of each client. There is no page if the copy does not have the feed.
    private let pages: [String: CopiedPage]

    init(of feed: String, in copy: LocalCopy, storefront: String) throws(JSONError) {
        self.feed = feed
        guard let data = copy[EntityKey(kind: "feed", id: feed)]?.data, let source = try copy.feed(feed) else {
            (sections, pages) = ([], [:])
            return
        }
        let listed = try JSONDocument(parsing: data).root["sections"]?.elements.compactMap(\.string) ?? []
        sections = ExperimentChange.sections(on: feed).intersection(listed)
        var pages: [String: CopiedPage] = [:]
        for client in Self.clients {
            var facts = ClientFacts.nothingSaid
            (facts.storefront, facts.client) = (.said(storefront), .said(client))
            pages[client] = source.page(for: facts)
        }
        self.pages = pages
    }

    /// Returns the pages that do not have exactly the sections of the arms of their client. A section whose rule had no time yet is not
    /// in the feed.
    ///
    /// The registry has the experiments of the feed. Without one, they are those that the pages have.
    func issues(in registry: ExperimentRegistry? = nil) -> [String] {
        let all = ExperimentChange.sections(on: feed)
        return pages.sorted { $0.key < $1.key }.compactMap { client, page in
            let arms = registry.map { Self.arms(of: client, in: $0) } ?? page.arms
            let visible = all.intersection(page.sections.map(\.id))
            let expected = sections.intersection(arms.map { ExperimentChange.section(of: $0.value, in: $0.key, on: feed) })
            let named = arms.keys.reduce(into: Set<String>()) { named, experiment in
                named.formUnion(ExperimentChange.arms.map { ExperimentChange.section(of: $0, in: experiment, on: feed) })
            }
            if visible == expected, named.isSuperset(of: sections), page.arms == arms { return nil }
            return "\(client) has \(page.arms) for \(arms) on \(feed), and sees \(visible.sorted()) of \(sections.sorted())"
        }
    }

    private static func arms(of client: String, in registry: ExperimentRegistry) -> [String: String] {
        var arms: [String: String] = [:]
        for (key, experiment) in registry.experiments {
            if case .said(let arm) = experiment.arm(of: .said(client), registry.holdout) { arms[key] = arm }
        }
        return arms
    }
}
