package import JSON

extension MaxDrop: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        if let count = json.node.integer, (0...FeedSection.mostItems).contains(count) {
            self = .items(count)
        } else if json.node.integer == nil, let share = json.node.double, share > 0, share < 1 {
            self = .share(share)
        } else {
            guard json.kind == .number else { throw json.mismatch("a number") }
            throw json.refuse(
                .outOfRange, "expected a share between 0 and 1, or a number of items from 0 to \(FeedSection.mostItems)",
                hint: json.node.double == 1 ? "without this member any drop is allowed" : nil)
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .share(let share): json.number(share)
        case .items(let count): json.value(count)
        }
    }
}
