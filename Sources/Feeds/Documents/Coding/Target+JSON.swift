internal import Items
package import JSON

extension Target: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        storefronts = object.optional("storefronts") { list throws(JSONReadError) in try Self.words(list, .storefront) } ?? []
        locales =
            object.optional("locales") { list throws(JSONReadError) in
                try list.distinct(1...JSONReader.mostWords) { locale throws(JSONReadError) in try locale.locale() }
            } ?? []
        platforms = object.optional("platforms") { list throws(JSONReadError) in try Self.words(list, .slug) } ?? []
        appVersion = object.optional("appVersion")
        os = object.optional("os")
        tags = object.optional("tags") { list throws(JSONReadError) in try Self.words(list, .name) } ?? []
        bucket = object.optional("bucket")
        try object.finish()
        guard json.node.count > 0 else {
            throw json.refuse(.wrongCount, "expected a condition at least", hint: "leave the target out to reach everybody")
        }
    }

    private static func words(_ json: JSONReader, _ form: IdentifierFormat) throws(JSONReadError) -> [String] {
        try json.distinct(1...JSONReader.mostWords) { word throws(JSONReadError) in try word.word(form) }
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("storefronts", storefronts, unless: [])
            json.member("locales", locales.map(\.text), unless: [])
            json.member("platforms", platforms, unless: [])
            json.member("appVersion", appVersion)
            json.member("os", os)
            json.member("tags", tags, unless: [])
            json.member("bucket", bucket)
        }
    }
}

extension VersionRange: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let range = VersionRange(try json.decode(as: String.self)) else {
            throw json.refuse(.badForm, "expected versions such as \">=3.0\", \"<4\", \">=3.0 <4.2.1\" or \"=3.1\"")
        }
        self = range
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}

extension Bucket: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let experiment = object.required("experiment") { experiment throws(JSONReadError) in try experiment.word(.name) }
        let from = object.required("from", as: Int.self, .in(0...Self.places))
        let to = object.required("to", as: Int.self, .in(0...Self.places))
        if let from = from.value, let to = to.value, from >= to {
            object.report(.outOfRange, at: "to", "expected more than \(from), found \(to)")
        }
        try object.finish()
        guard let experiment else { throw object.refuse(.missingKey, at: "experiment", "the experiment is missing") }
        self.experiment = experiment
        range = try from()..<to()
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("experiment", experiment)
            json.member("from", range.lowerBound)
            json.member("to", range.upperBound)
        }
    }
}
