package import JSON
internal import Values

/// A strict reading, of a document, rejects unknown conditions. A lenient one, of the output of another program, replaces
/// each condition that it does not understand by one that never holds.
extension Target: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.isStrict || json.kind == .object else {
            self.init([.unreadable])
            return
        }
        var object = try json.object()
        var conditions: [Condition] = []
        func add<Value>(
            _ key: String, _ condition: (Value) -> Condition, _ read: (JSONReader) throws(JSONReadError) -> Value
        ) {
            if let value = object.optional(key, read) { conditions.append(condition(value)) }
        }
        func addList(_ key: String, _ form: IdentifierFormat, _ condition: ([String]) -> Condition) {
            add(key, condition) { list throws(JSONReadError) in try Self.identifiers(list, form) }
        }
        addList("storefronts", .storefront, Condition.storefronts)
        addList("locales", .locale, Condition.locales)
        addList("platforms", .slug, Condition.platforms)
        add("appVersion", Condition.appVersion) { range throws(JSONReadError) in try range.decode() }
        add("os", Condition.os) { range throws(JSONReadError) in try range.decode() }
        addList("tags", .name, Condition.tags)
        var understood = conditions.count
        if json.isStrict, let bucket = json.node["bucket"] {
            _ = object.member("bucket")
            json.report(
                .unknownKey, at: bucket, "a target has no buckets: the arms of an experiment replace them",
                hint: #"write "experiment": {"EXPERIMENT": ["ARM"]}"#)
        }
        if let experiments = object.optional("experiment", Self.experiments) {
            understood += 1
            conditions += experiments
        }
        try object.finish()
        if !json.isStrict, understood < json.node.count || conditions.isEmpty { conditions.append(.unreadable) }
        guard !json.isStrict || json.node.count > 0 else {
            throw json.refuse(.invalidCount, "expected at least one condition", hint: "omit the target to include all clients")
        }
        self.init(conditions)
    }

    private static func identifiers(_ json: JSONReader, _ form: IdentifierFormat) throws(JSONReadError) -> [String] {
        try json.distinct(1...JSONReader.maxIdentifiers) { element throws(JSONReadError) in try element.identifier(form) }
    }

    private static func experiments(_ json: JSONReader) throws(JSONReadError) -> [Condition] {
        var arms: [String: [String]] = [:]
        for experiment in try json.values() {
            guard IdentifierFormat.name.fits(experiment.key) else {
                throw experiment.refuse(.invalidFormat, "the key of an experiment has \(IdentifierFormat.name.expected)")
            }
            arms[experiment.key] = try identifiers(experiment, .name)
        }
        guard !json.isStrict || 1...JSONReader.maxIdentifiers ~= arms.count else {
            throw json.refuse(.invalidCount, "expected 1 to \(JSONReader.maxIdentifiers) experiments")
        }
        return arms.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { .experiment($0.key, arms: $0.value) }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        var arms: [String: [String]] = [:]
        for condition in conditions {
            switch condition {
            case .storefronts(let list): json.member("storefronts", list)
            case .locales(let list): json.member("locales", list)
            case .platforms(let list): json.member("platforms", list)
            case .appVersion(let range): json.member("appVersion", range)
            case .os(let range): json.member("os", range)
            case .tags(let list): json.member("tags", list)
            case .experiment(let name, let list): arms[name] = list
            case .unreadable: json.member("unreadable", true)
            }
        }
        json.member("experiment", arms, unless: [:])
    }
}

extension VersionRange: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let range = VersionRange(try json.decode(as: String.self)) else {
            throw json.refuse(.invalidFormat, "expected versions such as \">=3.0\", \"<4\", \">=3.0 <4.2.1\" or \"=3.1\"")
        }
        self = range
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}
