internal import JSON
internal import SQLFiles

/// The storefronts and categories of the sample catalog, which all synthetic items use.
struct SampleStorefronts {
    struct Storefront {
        let key: String
        let currency: String
    }

    let storefronts: [Storefront]
    let topAppCategories: [String]
    let foodAppCategories: [String]
    let lines: [UInt8]

    init() {
        lines = Self.bytes(of: "storefronts.jsonl") + Self.bytes(of: "categories.jsonl")
        let records = lines.split(separator: UInt8(ascii: "\n")).map(Self.record)
        let text = { (record: JSONNode, key: String) in record[key]?.string ?? "" }
        storefronts = records.filter { text($0, "kind") == "storefront" }
            .map { Storefront(key: text($0, "key"), currency: text($0, "currency")) }
        let categories = records.filter { text($0, "kind") == "category" }
        topAppCategories = categories.filter { text($0, "itemKind") != "foodApp" }.map { text($0, "key") }
        foodAppCategories = categories.filter { text($0, "itemKind") != "topApp" }.map { text($0, "key") }
    }

    private static func bytes(of name: String) -> [UInt8] {
        guard let file = SQLFiles.sample.first(where: { $0.name == name }) else { preconditionFailure("there is no \(name)") }
        return file.bytes
    }

    private static func record(_ line: ArraySlice<UInt8>) -> JSONNode {
        do throws(JSONError) { return try JSONDocument(parsing: Array(line)).root } catch {
            preconditionFailure("the sample has a line that is no JSON: \(error)")
        }
    }
}
