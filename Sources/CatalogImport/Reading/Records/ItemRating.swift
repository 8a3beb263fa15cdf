package import JSON

/// What people think of an item.
package struct ItemRating: Sendable, Equatable {
    /// 425 is 4.25: the catalog keeps two digits.
    package let hundredths: Int
    package let count: Int64
}

extension ItemRating: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let average = object.required("average", as: Double.self, .in(0...5))
        let count = object.required("count", as: Int64.self, .atLeast(0))
        try object.finish()
        hundredths = Int((try average() * 100).rounded())
        self.count = try count()
        guard hundredths == 0 || self.count > 0 else { throw object.refuse(.outOfRange, at: "average", "nobody has rated, so it is 0") }
    }

    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("average", Double(hundredths) / 100)
            $0.member("count", count)
        }
    }
}
