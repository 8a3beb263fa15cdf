package import JSON

extension SolveRequest: JSONDecodable {
    /// Members with other names are somebody's notes.
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let environment = object.required("environment", as: LayoutEnvironment.self)
        let itemCounts = object.required("itemCounts", as: [Int].self, .itemCounts)
        let measurements = object.value("measurements", default: [[MeasuredSize]]())
        let configuration = object.value("configuration", default: PageConfiguration())
        let layouts = object.required("layouts", as: [LayoutChoice].self, .count(1...SolverLimits.sections))
        object.ignoreTheRest()
        try object.finish()
        self.init(
            environment: try environment(), itemCounts: try itemCounts(), measurements: measurements, configuration: configuration,
            layouts: try layouts())
    }
}

extension JSONRule<[Int]> {
    fileprivate static var itemCounts: JSONRule {
        .satisfying(.outOfRange, "expected at most \(SolverLimits.items) items in at most \(SolverLimits.sections) sections") { counts in
            counts.count <= SolverLimits.sections && counts.allSatisfy { (0...SolverLimits.items).contains($0) }
        }
    }
}
