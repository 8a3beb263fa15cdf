package import JSON

extension SolveRequest: JSONObjectDecodable {
    /// The additional members of the examples that implementations are compared with.
    private static let notes = ["name", "seed", "note", "assumed", "expected"]

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let environment = object.required("environment", as: LayoutEnvironment.self)
        let itemCounts = object.required("itemCounts", as: [ItemCount].self, .count(0...SolverLimits.sections))
        let measurements = object.value("measurements", default: [SectionMeasurements]())
        let newItems = object.value("newItems", default: [[Bool]]())
        let configuration = object.value("configuration", default: PageConfiguration())
        let layouts = object.required("layouts", as: [LayoutChoice].self, .count(1...SolverLimits.sections))
        for note in Self.notes { _ = object.member(note) }
        self.init(
            environment: try environment(), itemCounts: try itemCounts().map(\.count), measurements: measurements, newItems: newItems,
            configuration: configuration, layouts: try layouts())
    }
}

private struct ItemCount: JSONDecodable {
    let count: Int

    init(from json: JSONReader) throws(JSONReadError) { count = try json.decode(.in(0...SolverLimits.items)) }
}

extension LayoutDocument: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.node["layouts"]?.kind {
        case .array: self = .request(try json.decode())
        case .object: self = .page(try json.decode())
        default: self = .choice(try json.decode())
        }
    }
}
