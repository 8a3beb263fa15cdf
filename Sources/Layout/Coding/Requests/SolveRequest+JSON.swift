package import JSON

extension SolveRequest: JSONDecodable {
    /// Members with other names are somebody's notes.
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let environment = object.required("environment", as: LayoutEnvironment.self)
        let itemCounts = object.required("itemCounts", as: [ItemCount].self, .count(0...SolverLimits.sections))
        let measurements = object.value("measurements", default: [[MeasuredSize]]())
        let configuration = object.value("configuration", default: PageConfiguration())
        let layouts = object.required("layouts", as: [LayoutChoice].self, .count(1...SolverLimits.sections))
        object.ignoreTheRest()
        try object.finish()
        self.init(
            environment: try environment(), itemCounts: try itemCounts().map(\.count), measurements: measurements,
            configuration: configuration,
            layouts: try layouts())
    }
}

private struct ItemCount: JSONDecodable {
    let count: Int

    init(from json: JSONReader) throws(JSONRefusal) { count = try json.decode(.in(0...SolverLimits.items)) }
}
