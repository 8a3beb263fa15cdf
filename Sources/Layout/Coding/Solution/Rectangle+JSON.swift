package import JSON

extension Double {
    /// Four decimals, as frames are published.
    var published: Double { (self * 10_000).rounded() / 10_000 }
}

extension Rectangle: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("x", x.published)
            json.member("y", y.published)
            json.member("width", width.published)
            json.member("height", height.published)
        }
    }
}

extension PointSize: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("width", width.published)
            json.member("height", height.published)
        }
    }
}
