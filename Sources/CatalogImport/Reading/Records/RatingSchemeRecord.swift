internal import Items
package import JSON

/// A scheme by which storefronts rate items.
package struct RatingSchemeRecord: Sendable, Equatable {
    /// A label of the scheme, such as `12+`, with the least age that it is for.
    package struct Label: Sendable, Equatable {
        package let label: String
        package let minimumAge: Int
    }

    package let key: String
    /// The labels, sorted by age. Each has its own age, so that an age of another scheme has exactly one label here.
    package let labels: [Label]

    init(key: String, labels: [Label]) {
        self.key = key
        self.labels = labels.sorted { $0.minimumAge < $1.minimumAge }
    }

    init(reading object: inout JSONObjectReader) throws(JSONReadError) {
        let key = object.required("key", .slug)
        let labels = object.required("labels", as: [Label].self, .count(1...50))
        try object.finish()
        self.init(key: try key(), labels: try labels())
        let (names, ages) = (Set(self.labels.map(\.label)), Set(self.labels.map(\.minimumAge)))
        guard names.count == self.labels.count, ages.count == self.labels.count else {
            throw object.refuse(.duplicate, at: "labels", "two labels have the same text or the same age")
        }
    }
}

extension RatingSchemeRecord.Label: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let label = object.required("label", .word(1...20))
        let minimumAge = object.required("minimumAge", as: Int.self, .in(0...99))
        self.label = try label()
        self.minimumAge = try minimumAge()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("label", label)
        json.member("minimumAge", minimumAge)
    }
}

extension RatingSchemeRecord: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("kind", "ratingScheme")
        json.member("key", key)
        json.member("labels", labels)
    }
}
