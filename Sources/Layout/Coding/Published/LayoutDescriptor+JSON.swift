package import JSON

extension LayoutDescriptor: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let descriptor = Result { () throws(JSONReadError) in try LayoutDescriptor(&object) }
        try object.finish()
        self = try descriptor.get()
        try check(object)
    }

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let family = Family.read(&object)
        let section = Result { () throws(JSONReadError) in try LayoutSection(&object) }
        let requires = object.essential("requires", default: [Capability]())
        let fallback = object.essential("fallback", default: LayoutID?.none)
        self.init(try section.get(), family: family, requires: Set(requires), fallback: fallback)
    }

    /// Checks a curator's layout for issues that its parts do not have on their own.
    func check(_ object: JSONObjectReader) throws(JSONReadError) {
        guard object.json.isStrict, fallback != nil, needs.isEmpty else { return }
        throw object.refuse(
            .brokenFallback, at: "fallback", "every client supports this layout, so it needs no fallback",
            hint: "remove the fallback, or list the capabilities that the layout requires")
    }

    package func encodeMembers(to json: inout JSONWriter) {
        family?.encodeMembers(to: &json)
        section.encodeMembers(to: &json)
        json.member("requires", requires.sorted(), unless: [])
        json.member("fallback", fallback)
    }

    package func id(hashedBy hash: LayoutHash) -> LayoutID {
        do throws(JSONError) {
            return LayoutID(digest: hash(try canonicalJSON()))
        } catch {
            preconditionFailure("every number of a descriptor is finite and every key is written once: \(error)")
        }
    }
}

extension Family {
    /// Returns nil if no kind is stated or if this program does not know the kind.
    static func read(_ object: inout JSONObjectReader) -> Family? {
        let kind = object.value("kind", default: Kind?.none)
        let columns = object.value("columns", default: 1, .in(1...maxTracks))
        let rows = object.value("rows", default: 1, .in(1...maxTracks))
        let paging = object.value("paging", default: ScrollingBehavior.none, faulty: .continuous)
        guard let kind else {
            if object.member("kind") == nil, columns > 1 || rows > 1 || paging != .none {
                _ = object.refuse(.missingKey, at: "kind", "columns, rows and paging require a kind")
            }
            return nil
        }
        return Family(kind, columns: columns, rows: rows, paging: paging)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("kind", kind)
        json.member("columns", columns, unless: 1)
        json.member("rows", rows, unless: 1)
        json.member("paging", paging, unless: .none)
    }
}

extension Capability: JSONDecodable, JSONEncodable {
    /// Reads a capability. A strict reading rejects an unknown one; a lenient reading keeps it as a need that no client
    /// meets.
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.isStrict else {
            self.init(try json.decode())
            return
        }
        self = Self.all[try json.choice(among: Self.all.map(\.name))]
    }

    package func encode(to json: inout JSONWriter) { json.string(name) }
}

extension LayoutID: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let id = LayoutID(try json.decode(as: String.self)) else {
            throw json.refuse(.invalidID, "expected a layout ID of 32 hexadecimal digits")
        }
        self = id
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}
