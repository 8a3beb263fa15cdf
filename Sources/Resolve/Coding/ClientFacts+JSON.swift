package import JSON

/// An absent member is an unknown fact, and null is a fact that the client does not state.
extension ClientFacts: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        self.init()
        storefront = object.fact("storefront")
        locale = object.fact("locale")
        platform = object.fact("platform")
        appVersion = object.fact("appVersion")
        os = object.fact("os")
        tags = object.fact("tags", as: [String].self).map(Set.init)
        client = object.fact("client")
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefront", storefront)
        json.member("locale", locale)
        json.member("platform", platform)
        json.member("appVersion", appVersion)
        json.member("os", os)
        json.member("tags", tags.map { $0.sorted() })
        json.member("client", client)
    }
}

extension Version: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let version = Version(try json.decode(as: String.self)) else {
            throw json.refuse(.invalidFormat, "expected a version such as 3.2.1")
        }
        self = version
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}

extension Fact {
    fileprivate func map<Other>(_ transform: (Value) -> Other) -> Fact<Other> {
        switch self {
        case .unknown: .unknown
        case .notSaid: .notSaid
        case .said(let value): .said(transform(value))
        }
    }
}

extension JSONObjectReader {
    fileprivate mutating func fact<Value: JSONDecodable>(_ key: String, as type: Value.Type = Value.self) -> Fact<Value> {
        guard let value = member(key) else { return .unknown }
        guard value.kind != .null else { return .notSaid }
        return essential(key, as: type).map { .said($0) } ?? .unknown
    }
}

extension JSONWriter {
    fileprivate mutating func member<Value: JSONEncodable>(_ key: String, _ fact: Fact<Value>) {
        switch fact {
        case .unknown: return
        case .notSaid:
            self.key(key)
            null()
        case .said(let value): member(key, value)
        }
    }
}
