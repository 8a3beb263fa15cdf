/// A layout under a name, ready to be chosen; some take parameters.
package struct Preset: Sendable {
    /// A number that a curator may change.
    package struct Parameter: Sendable {
        package let name: String
        package let abstract: String
        package let range: ClosedRange<Int>
        package let standard: Int
    }

    struct Arguments {
        fileprivate let numbers: [String: Int]
        fileprivate let parameters: [Parameter]
        /// Where the section stands on its page, as far as it matters.
        let sectionIndex: Int

        subscript(name: String) -> Int {
            guard let parameter = parameters.first(where: { $0.name == name }) else { preconditionFailure("no parameter \(name)") }
            return numbers[name] ?? parameter.standard
        }
    }

    package let name: String
    /// The post that it comes from.
    package let origin: String
    package let abstract: String
    package let parameters: [Parameter]
    private let make: @Sendable (Arguments) -> Expansion

    init(
        _ name: String, from origin: String, _ abstract: String, parameters: [Parameter] = [],
        make: @escaping @Sendable (Arguments) -> Expansion
    ) {
        self.name = name
        self.origin = origin
        self.abstract = abstract
        self.parameters = parameters
        self.make = make
    }

    init(_ name: String, from origin: String, _ abstract: String, _ section: LayoutSection) {
        self.init(name, from: origin, abstract) { _ in Expansion(section) }
    }

    /// With the parameters at their standard, for the section at this place of its page.
    package func expanded(at sectionIndex: Int = 0) -> Expansion { expanded([:], at: sectionIndex) }

    func expanded(_ numbers: [String: Int], at sectionIndex: Int) -> Expansion {
        make(Arguments(numbers: numbers, parameters: parameters, sectionIndex: min(max(sectionIndex, 0), Family.mostTracks)))
    }

    /// All that there are, in the order of the posts.
    package static let all: [Preset] = features + rows + photos + emojis + stacks + shelves

    package static func named(_ name: String) -> Preset? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

/// Equal by name, which is unique.
extension Preset: Hashable {
    package static func == (a: Preset, b: Preset) -> Bool { a.name.utf8.elementsEqual(b.name.utf8) }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
