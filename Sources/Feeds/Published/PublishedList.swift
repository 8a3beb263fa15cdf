package import JSON
package import Layout

/// The list of a section as clients receive it, without its entries.
package struct PublishedList: Sendable, Equatable {
    /// The ID, which is that of its section.
    package let id: String
    /// The mark of the items and their order. A cursor of another token does not belong to this list.
    package let token: String
    /// The version at which the present order keys began. It rises with another rule, sort or grouping, and if no item keeps
    /// its key.
    package let generation: Int
    package let grouping: FeedSection.Grouping
    /// Whether each locale has its own order.
    package let isByLocale: Bool
    /// The maximum number of items that a client sees. The list has the items that clients of all platforms need.
    package let size: Int

    /// Creates a list. Its token changes with the rule, the sort, the grouping and the generation, and with nothing else.
    package init(id: String, _ selection: ItemSelection, generation: Int, hashedBy hash: LayoutHash) {
        var json = JSONWriter()
        json.object { json in
            json.member("rule", selection.rule)
            json.member("sort", selection.sort)
            json.member("group", selection.grouping, unless: .none)
            json.member("generation", generation)
        }
        self.id = id
        token = Self.text(hash(json.bytes).prefix(8))
        self.generation = generation
        grouping = selection.grouping
        isByLocale = selection.rule != nil && selection.sort == .title
        size = selection.size
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension PublishedList: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        let token = object.required("token", as: String.self)
        let generation = object.required("generation", as: Int.self)
        grouping = object.value("group", default: .none)
        isByLocale = object.value("byLocale", default: false)
        size = object.value("size", default: FeedSection.maxItems)
        try object.finish()
        self.id = try id()
        self.token = try token()
        self.generation = try generation()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("token", token)
        json.member("generation", generation)
        json.member("group", grouping, unless: .none)
        json.member("byLocale", isByLocale, unless: false)
        json.member("size", size)
    }
}
