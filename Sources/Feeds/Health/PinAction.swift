internal import JSON
internal import Resolve
package import Values

/// An action of a pin, and where its document has it.
package struct PinAction: Sendable, Equatable {
    package let action: Action
    package let section: SectionKey
    let subject: String
    let pointer: JSONPointer
    let storefronts: [[String]]
    let platforms: [String]
    /// The period of the section.
    let during: SectionPeriod?

    /// Whether clients of a storefront can see the pin at a time.
    package func isFor(_ storefront: String, at time: Timestamp, by clock: LocalClock) -> Bool {
        storefronts.allSatisfy { $0.isEmpty || $0.contains(storefront) } && during?.includes(time, by: clock) ?? true
    }

    /// Returns the finding if the action opens nothing.
    package func finding(revision: Int) -> StorefrontFinding {
        let problem =
            switch action {
            case .item(let item): "\(item), which is withdrawn or not available"
            case .feed(let key), .story(let key): "the feed \(key), which is not live"
            case .list(let feed, let list): "the list \(feed)/\(list), which is not shown"
            case .search, .url: action.target
            }
        return StorefrontFinding(
            .deadAction, subject, revision: revision, of: section, for: platforms, at: pointer, "the action opens \(problem)",
            "Change the action, or publish its destination in this storefront.")
    }
}

extension FeedDocument {
    /// The actions of all pins that open something of the catalog or another feed.
    package var pinActions: [PinAction] {
        var actions: [PinAction] = []
        for (index, section) in sections.enumerated() {
            for (slot, pin) in section.pins.enumerated() {
                guard let action = pin.action, action.opensOwnContent else { continue }
                let place = Self.pointer(toSection: index).appending("pins").appending(slot)
                let targets = [section.target, pin.target]
                actions.append(
                    PinAction(
                        action: action, section: section.key, subject: "\(section.key)/\(pin.name)",
                        pointer: place.appending(pin.card == nil ? "show" : "card").appending("action").appending(action.kind.rawValue),
                        storefronts: targets.compactMap { $0?.storefronts }, platforms: FeedHealth.platforms(targets),
                        during: section.during))
            }
        }
        return actions
    }
}

extension Action {
    /// Whether the action opens an item or a feed, which can be missing in a storefront.
    fileprivate var opensOwnContent: Bool {
        switch self {
        case .item, .feed, .story, .list: true
        case .search, .url: false
        }
    }
}
