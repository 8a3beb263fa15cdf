package import JSON

extension Effect: JSONDecodable, JSONObjectEncodable {
    enum Key: String, CaseIterable { case centerScale, fade, parallax }

    private struct Scales: JSONDecodable {
        let min: Magnitude
        let max: Magnitude

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            let min = object.required("min", as: Magnitude.self)
            let max = object.required("max", as: Magnitude.self)
            try object.finish()
            self.min = try min()
            self.max = try max()
            guard self.min.value <= self.max.value else {
                throw object.refuse(.outOfRange, at: "min", "the minimum scale is above the maximum")
            }
        }
    }

    private struct Fade: JSONObjectDecodable {
        let min: Magnitude

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            let min = object.required("min", as: Magnitude.self, .satisfying(.outOfRange, "expected 0 to 1") { $0.value <= 1 })
            self.min = try min()
        }
    }

    private struct Parallax: JSONObjectDecodable {
        let factor: Coordinate

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            let range = -Effect.maxParallax...Effect.maxParallax
            let rule = JSONRule<Coordinate>.satisfying(.outOfRange, "expected -10 to 10") { range.contains($0.value) }
            let factor = object.required("factor", as: Coordinate.self, rule)
            self.factor = try factor()
        }
    }

    /// The largest factor of a parallax.
    static let maxParallax = 10.0

    package init(from json: JSONReader) throws(JSONReadError) {
        let (key, value) = try json.variant(of: Key.self)
        switch key {
        case .centerScale:
            let scales = try value.decode(as: Scales.self)
            self = .centerScale(min: scales.min, max: scales.max)
        case .fade: self = .fade(min: try value.decode(as: Fade.self).min)
        case .parallax: self = .parallax(factor: try value.decode(as: Parallax.self).factor)
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .centerScale(let min, let max):
            json.member(Key.centerScale.rawValue) { json in
                json.member("min", min)
                json.member("max", max)
            }
        case .fade(let min): json.member(Key.fade.rawValue) { json in json.member("min", min) }
        case .parallax(let factor): json.member(Key.parallax.rawValue) { json in json.member("factor", factor) }
        }
    }
}
