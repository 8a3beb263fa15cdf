package import JSON

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
