internal import Items
package import Layout
package import Resolve
package import Values

/// The values that distinguish the pages of a snapshot. Only values that the snapshot uses are included, so that
/// clients share pages.
package struct PageVariant: Sendable, Hashable {
    package let locale: LocaleTag
    /// Whether each section and each pin with a target is shown, or the conditions on it that the client evaluates, by
    /// target.
    package let visibility: [Target.Reply]
    /// The arm of the client in each experiment, or that the client computes it.
    package let arms: [String: Fact<String>]
    /// The capabilities among those that the layouts of the snapshot require. They are nil if the client has not sent
    /// any.
    package let capabilities: Set<Capability>?
    package let screen: String?
    /// The platform, which decides about the items and is a part of links.
    package let platform: String?

    /// Creates the variant of a client. The facts include the storefront and the locale with its fallback locales. A fact on which
    /// the page does not depend makes no difference.
    package init(
        _ facts: ClientFacts, in locale: LocaleTag, capabilities: Set<Capability>? = nil, screen: Screen? = nil,
        _ dependencies: PageDependencies
    ) {
        self.locale = locale
        let arms = dependencies.experiments.arms(of: facts.client)
        visibility = dependencies.targets.map { $0.ask(facts, arms) }
        self.arms = arms
        self.capabilities = capabilities.map { $0.intersection(dependencies.capabilities) }
        self.screen = screen?.name
        platform = if case .said(let platform) = facts.platform { platform } else { nil }
    }

    /// The approximate size in memory, in bytes.
    package var bytes: Int {
        MemoryLayout<Self>.size + visibility.count * MemoryLayout<Target.Reply>.stride + arms.count * Self.bytesOfArm
            + (capabilities?.count ?? 0) * Self.bytesOfCapability
    }

    /// The size of an entry in a hash table, with a text of its own.
    private static let bytesOfArm = 128
    private static let bytesOfCapability = 64

    package init(_ context: PageContext, _ dependencies: PageDependencies) {
        self.init(
            context.facts, in: context.locales.requested, capabilities: context.capabilities, screen: context.screen, dependencies)
    }
}
