package import JSON

extension CarouselForm: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let standard = CarouselForm.standard
        var object = try json.object()
        rows = object.value("rows", default: standard.rows, .in(1...Family.mostTracks))
        width = object.value("width", default: standard.width, .positive)
        height = object.value("height", default: standard.height, .rowHeight)
        paging = object.value("paging", default: standard.paging, .scrolling)
        spacing = object.value("spacing", default: standard.spacing)
        header = object.value("header", default: standard.header)
        try object.finish()
    }

    package func encode(to json: inout JSONWriter) {
        let standard = CarouselForm.standard
        json.object { json in
            json.member("rows", rows, unless: standard.rows)
            json.member("width", width, unless: standard.width)
            json.member("height", height, unless: standard.height)
            json.member("paging", paging, unless: standard.paging)
            json.member("spacing", spacing, unless: standard.spacing)
            json.member("header", header, unless: standard.header)
        }
    }
}

extension JSONRule<Fraction> {
    fileprivate static var positive: JSONRule { .satisfying(.outOfRange, "expected more than 0") { $0.value > 0 } }
}

extension JSONRule<Magnitude> {
    fileprivate static var rowHeight: JSONRule {
        .satisfying(.outOfRange, "expected 1 to 10000") { (1...10_000).contains($0.value) }
    }
}

extension JSONRule<ScrollingBehavior> {
    fileprivate static var scrolling: JSONRule {
        .satisfying(.notOneOf, "a carousel scrolls; without scrolling it is a grid or a list") { $0 != .none }
    }
}
