package import JSON

extension GridForm: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let standard = GridForm.standard
        let tracks = JSONRule.in(1...Family.mostTracks)
        var object = try json.object()
        columns = object.value("columns", default: standard.columns, tracks)
        regularColumns = object.optional("regularColumns", as: Int.self, tracks)
        aspect = object.value("aspect", default: standard.aspect, .aspect)
        spacing = object.value("spacing", default: standard.spacing, .spacing)
        try object.finish()
    }

    package func encode(to json: inout JSONWriter) {
        let standard = GridForm.standard
        json.object { json in
            json.member("columns", columns, unless: standard.columns)
            json.member("regularColumns", regularColumns)
            json.member("aspect", aspect, unless: standard.aspect)
            json.member("spacing", spacing, unless: standard.spacing)
        }
    }
}

extension JSONRule<Ratio> {
    fileprivate static var aspect: JSONRule {
        .satisfying(.outOfRange, "expected a width and a height from 1 to 10000") { ratio in
            (1...10_000).contains(ratio.numerator) && (1...10_000).contains(ratio.denominator)
        }
    }
}

extension JSONRule<Magnitude> {
    /// Half of it is the inset of each cell.
    fileprivate static var spacing: JSONRule {
        .satisfying(.insetRange, "expected 0 or at least 2, because half of it is an inset") { Inset($0.value / 2) != nil }
    }
}
