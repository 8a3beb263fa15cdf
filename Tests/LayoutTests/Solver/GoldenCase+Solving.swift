import JSON
import Layout

extension GoldenCase {
    var expected: [UInt8] { document.root["expected"]?.canonical() ?? [] }

    func solved() throws -> SolvedPage { try document.decode(Input.self).solved() }

    /// What a golden file asks; section i takes layout i modulo their number.
    struct Input: JSONDecodable {
        let environment: LayoutEnvironment
        let itemCounts: [Int]
        let configuration: PageConfiguration
        let layouts: [LayoutSection]
        let measurements: [[MeasuredSize]]

        init(from json: JSONReader) throws(JSONRefusal) {
            var object = try json.object()
            let environment = object.required("environment", as: LayoutEnvironment.self)
            let itemCounts = object.required("itemCounts", as: [Int].self)
            configuration = object.value("configuration", default: PageConfiguration())
            let layouts = object.required("layouts", as: [LayoutSection].self)
            measurements = object.value("measurements", default: [])
            for key in ["name", "seed", "note"] { _ = object.optional(key, as: String.self) }
            for key in ["assumed"] { _ = object.optional(key, as: [String].self) }
            _ = object.optional("expected", as: JSONValue.self)
            try object.finish()
            self.environment = try environment()
            self.itemCounts = try itemCounts()
            self.layouts = try layouts()
        }

        func solved() throws -> SolvedPage {
            let contents = itemCounts.enumerated().map { index, count in
                SectionContent(
                    layout: layouts[index % layouts.count], itemCount: count,
                    measurements: index < measurements.count ? measurements[index] : [])
            }
            return try SolvedPage(solving: contents, configuration: configuration, in: environment)
        }
    }
}
