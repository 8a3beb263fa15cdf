package import JSON

extension Edges: JSONDecodable, JSONEncodable {
    static var keywords: [(word: String, edge: Edges)] {
        [("top", .top), ("leading", .leading), ("bottom", .bottom), ("trailing", .trailing)]
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        let keywords = Self.keywords
        let indexes = try json.list { edge throws(JSONReadError) in try edge.choice(among: keywords.map(\.word)) }
        self.init(indexes.map { keywords[$0].edge })
    }

    package func encode(to json: inout JSONWriter) {
        Self.keywords.filter { contains($0.edge) }.map(\.word).encode(to: &json)
    }
}

extension Anchor: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let edges = object.essential("edges", default: [] as Edges)
        let absolute = object.essential("absoluteOffset", default: Offset?.none)
        let fractional = object.essential("fractionalOffset", default: Offset?.none)
        try object.finish()
        guard absolute == nil || fractional == nil else {
            throw object.refuse(.invalidChoice, at: "fractionalOffset", "an anchor can have an absolute or a fractional offset, not both")
        }
        self.init(edges: edges, offset: fractional.map { .fractional($0) } ?? .absolute(absolute ?? .zero))
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("edges", edges, unless: [])
        switch offset {
        case .absolute(let offset): json.member("absoluteOffset", offset, unless: .zero)
        case .fractional(let offset): json.member("fractionalOffset", offset, unless: .zero)
        }
    }
}

extension SupplementaryItem: JSONDecodable, JSONObjectEncodable {
    private enum Condition: String, CaseIterable, JSONDecodable, JSONEncodable { case new }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let elementKind = object.required("elementKind", as: Name.self)
        let size = object.required("size", as: LayoutSize.self)
        let containerAnchor = object.essential("containerAnchor", default: Anchor.center)
        let itemAnchor = object.essential("itemAnchor", default: Anchor?.none)
        let zIndex = object.essential("zIndex", default: 1, .zIndex)
        let every = object.essential("every", default: 1, .in(1...1_000_000))
        let phase = object.essential("phase", default: 0, .in(0...999_999))
        let condition = object.essential("when", default: Condition?.none)
        try object.finish()
        guard let occurrence = SupplementaryFrequency(every: every, phase: phase, isForNewItems: condition == .new) else {
            throw object.refuse(.outOfRange, at: "phase", "expected a phase below \(every), found \(phase)")
        }
        self.init(
            elementKind: try elementKind(), size: try size(), containerAnchor: containerAnchor, itemAnchor: itemAnchor, zIndex: zIndex,
            occurrence: occurrence)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("elementKind", elementKind)
        json.member("size", size)
        json.member("containerAnchor", containerAnchor, unless: .center)
        json.member("itemAnchor", itemAnchor)
        json.member("zIndex", zIndex, unless: 1)
        json.member("every", occurrence.every, unless: 1)
        json.member("phase", occurrence.phase, unless: 0)
        if occurrence.isForNewItems { json.member("when", Condition.new) }
    }
}

extension Anchor {
    static let center = Anchor(edges: [])
}

extension JSONRule<Int> {
    /// The allowed z-indexes, which are far more than any layout needs.
    static var zIndex: JSONRule { .in(-1_000_000...1_000_000) }
}
