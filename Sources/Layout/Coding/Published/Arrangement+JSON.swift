package import JSON

extension Condition: JSONDecodable, JSONObjectEncodable {
    enum Key: String, CaseIterable { case horizontalSizeClass, minWidth, maxWidth }

    package init(from json: JSONReader) throws(JSONReadError) {
        let (key, value) = try json.variant(of: Key.self)
        switch key {
        case .horizontalSizeClass: self = .horizontalSizeClass(try value.decode())
        case .minWidth: self = .minWidth(try value.decode())
        case .maxWidth: self = .maxWidth(try value.decode())
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .horizontalSizeClass(let sizeClass): json.member(Key.horizontalSizeClass.rawValue, sizeClass)
        case .minWidth(let width): json.member(Key.minWidth.rawValue, width)
        case .maxWidth(let width): json.member(Key.maxWidth.rawValue, width)
        }
    }
}

extension Arrangement.Variant: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let condition = object.required("when", as: Condition.self)
        let layout = object.required("layout", as: LayoutID.self)
        self.init(when: try condition(), try layout())
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("when", condition)
        json.member("layout", layout)
    }
}

extension Arrangement {
    /// Reads the layout members of a section. Drops variants and alternates that it does not understand.
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let layout = object.required("layout", as: LayoutID.self)
        variants = object.lossyArray("variants")
        var alternates: [Alternate] = []
        if let member = object.member("alternates"), !member.isNull {
            do throws(JSONReadError) {
                for value in try member.values() {
                    do throws(JSONReadError) { alternates.append(Alternate(Name(value.key), try value.decode())) } catch {}
                }
            } catch {}
        }
        active = object.value("active", default: nil)
        self.alternates = alternates
        self.layout = try layout()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("layout", layout)
        json.member("variants", variants, unless: [])
        if !alternates.isEmpty {
            json.member("alternates") { json in
                for alternate in alternates { json.member(alternate.name.text, alternate.layout) }
            }
        }
        json.member("active", active)
    }
}
