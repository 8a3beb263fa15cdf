package import JSON

/// The average rating of an item and the number of ratings.
package struct ItemRating: Sendable, Equatable {
    /// The rating in hundredths: 425 is 4.25. The catalog keeps two decimal places.
    package let hundredths: Int
    package let count: Int
}

extension ItemRating {
    /// Reads the rating of a published document. Returns nil if it is not one.
    init?(_ node: JSONNode) {
        guard let average = node["average"]?.double, let count = node["count"]?.integer,
            let hundredths = Int(exactly: (average * 100).rounded()), hundredths == 0 || count > 0
        else { return nil }
        self.init(hundredths: hundredths, count: count)
    }
}

extension ItemRating: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let average = object.required("average", in: 0...5.0)
        let count = object.required("count", as: Int.self)
        if json.isStrict, let count = count.value, count < 0 {
            object.report(.outOfRange, at: "count", "expected at least 0, found \(count)")
        }
        try object.finish()
        guard let hundredths = Int(exactly: (try average() * 100).rounded()) else {
            throw object.refuse(.outOfRange, at: "average", "expected 0 to 5")
        }
        self.hundredths = hundredths
        self.count = try count()
        guard hundredths == 0 || self.count > 0 else {
            throw object.refuse(.outOfRange, at: "average", "expected 0 because the count is 0")
        }
    }

    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("average", Double(hundredths) / 100)
            $0.member("count", count)
        }
    }
}
