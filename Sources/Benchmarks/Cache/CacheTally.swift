/// The results of a part of all clients.
struct CacheTally: Sendable {
    var clients = 0
    /// The descriptions of the first failures.
    private(set) var failures: [String] = []
    private(set) var counts: [Failure: Int] = [:]
    /// The number of clients whose page was compared with their shared and their personal page of the server.
    var compared = 0
    /// The layouts that clients have chosen, by section.
    private var choices: [String: Set<ChosenLayout>] = [:]

    /// The largest number of different layouts of a section.
    var choicesOfSection: Int { choices.values.map(\.count).max() ?? 0 }

    enum Failure: String, CaseIterable, Sendable {
        case response = "clients without a page, or with one that they cannot decode"
        case page = "clients with the page of another feed, storefront or locale"
        case origins = "clients whose browser hides the page from its script"
        case shelves = "clients with a wrong section, item, order, layout or cell"
        case titles = "clients with a wrong title of an item"
        case shared = "clients whose page differs from that of their own request to the server"
        case personal = "clients whose page differs from that of form=personal"
    }

    mutating func add(_ failure: Failure, _ description: @autoclosure () -> String) {
        counts[failure, default: 0] += 1
        if failures.count < 5 { failures.append("\(failure.rawValue): \(description())") }
    }

    /// Adds the layouts that a client has chosen.
    mutating func add(_ shelves: [Shelf]) {
        for shelf in shelves {
            if let layout = shelf.layout { choices[shelf.section, default: []].insert(layout) }
        }
    }

    static func += (tally: inout CacheTally, other: CacheTally) {
        tally.clients += other.clients
        tally.compared += other.compared
        tally.counts.merge(other.counts, uniquingKeysWith: +)
        tally.choices.merge(other.choices) { $0.union($1) }
        tally.failures = Array((tally.failures + other.failures).prefix(10))
    }
}
