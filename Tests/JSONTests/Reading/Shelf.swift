import JSON

/// A sample that uses each way of reading a member.
struct Shelf: Equatable, JSONDecodable, JSONEncodable {
    enum Kind: String, CaseIterable, JSONDecodable, JSONEncodable { case list, grid, carousel }

    struct Item: Equatable, JSONObjectDecodable, JSONObjectEncodable {
        var id: String
        var rank: Int?

        init(id: String, rank: Int? = nil) {
            self.id = id
            self.rank = rank
        }

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            let id = object.required("id", as: String.self, .bytes(1...8))
            rank = object.optional("rank")
            self.id = try id()
        }

        func encodeMembers(to json: inout JSONWriter) {
            json.member("id", id)
            json.member("rank", rank)
        }
    }

    var title: String
    var kind: Kind = .list
    var width: Dimension = .absolute(1)
    var columns = 1
    var minimum = 0.0
    var maximum: Double?
    var items: [Item] = []
    var labels: [String: String] = [:]

    init(title: String) { self.title = title }

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let title = object.required("title", as: String.self)
        let kind = object.required("kind", as: Kind.self)
        let width = object.required("width", as: Dimension.self)
        columns = object.value("columns", default: 1, .in(1...32))
        minimum = object.value("minimum", default: 0)
        maximum = object.optional("maximum")
        items = object.lossyArray("items")
        labels = object.value("labels", default: [:])
        try object.finish()
        if let maximum, maximum < minimum { throw object.refuse("MIN_OVER_MAX", at: "minimum", "the minimum is above the maximum") }
        self.title = try title()
        self.kind = try kind()
        self.width = try width()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("title", title)
            $0.member("kind", kind)
            $0.member("width", width)
            $0.member("columns", columns, unless: 1)
            $0.member("minimum", minimum, unless: 0)
            $0.member("maximum", maximum)
            $0.member("items", items, unless: [])
            $0.member("labels", labels, unless: [:])
        }
    }
}
