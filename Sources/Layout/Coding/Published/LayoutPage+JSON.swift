package import JSON

extension LayoutPage: JSONObjectDecodable, JSONObjectEncodable {
    /// Reads a page that a client received. A text that is not a page becomes one without sections. Any other part that
    /// is not understood is dropped and reported, and does not affect the other parts.
    package static func read(_ source: [UInt8], limits: JSONLimits = .page) -> (page: LayoutPage, issues: [JSONIssue]) {
        do throws(JSONError) {
            let (page, issues) = try JSONDocument(parsing: source, limits: limits).decodeLeniently(LayoutPage.self)
            return (page, issues)
        } catch {
            return (LayoutPage(), error.issues)
        }
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        configuration = object.value("configuration", default: PageConfiguration())
        layouts = object.value("layouts", default: LayoutTable())
        sections = object.lossyArray("sections")
        object.ignoreTheRest()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("configuration", configuration, unless: PageConfiguration())
        json.member("layouts", layouts)
        json.member("sections", sections)
    }
}

extension LayoutPage.Section: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        let arrangement: Arrangement?
        do throws(JSONReadError) { arrangement = try Arrangement(&object) } catch { arrangement = nil }
        let cells = CellStyles(published: &object)
        object.ignoreTheRest()
        do throws(JSONReadError) { try object.finish() } catch {
            guard !json.isStrict, id.value != nil else { throw error }
        }
        self.init(id: try id(), arrangement: arrangement, cells: cells)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        arrangement?.encodeMembers(to: &json)
        cells?.encodeMembers(to: &json)
    }
}

extension LayoutTable: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var layouts: [LayoutID: PublishedLayout] = [:]
        var failure: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                guard let id = LayoutID(value.key) else { throw value.refuse(.invalidID, "expected a layout ID of 32 hexadecimal digits") }
                layouts[id] = try value.decode()
            } catch {
                failure = error
            }
        }
        if json.isStrict, let failure { throw failure }
        self.init(layouts)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        for (id, layout) in layouts.sorted(by: { $0.key < $1.key }) { json.member(id.text, layout) }
    }
}

extension PublishedLayout: JSONDecodable, JSONEncodable {
    /// Reads a layout. A strict reading rejects an unknown one; a lenient reading keeps its family and its fallback.
    package init(from json: JSONReader) throws(JSONReadError) {
        do throws(JSONReadError) {
            self = .known(try json.decode())
        } catch {
            if json.isStrict { throw error }
            var object = try json.object()
            let family = Family.read(&object)
            let fallback = object.value("fallback", default: LayoutID?.none)
            try object.finish()
            self = .unknown(family: family, fallback: fallback)
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .known(let descriptor): descriptor.encode(to: &json)
        case .unknown(let family, let fallback):
            json.object { json in
                family?.encodeMembers(to: &json)
                json.member("fallback", fallback)
            }
        }
    }
}

extension JSONObjectReader {
    /// Marks all members as known, because other readers read the same object.
    mutating func ignoreTheRest() {
        for member in json.node.members { _ = self.member(member.key) }
    }
}

extension JSONLimits {
    /// The limits for a page of more than a thousand items.
    package static let page = JSONLimits(bytes: 16 << 20)
}
