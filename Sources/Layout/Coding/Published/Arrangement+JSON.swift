package import JSON

extension Arrangement.Variant: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let condition = object.required("when", as: Condition.self)
        let layout = object.required("layout", as: LayoutID.self)
        let cells = CellStyles(published: &object)
        self.init(when: try condition(), try layout(), cells)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("when", condition)
        json.member("layout", layout)
        cells?.encodeMembers(to: &json)
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
                    do throws(JSONReadError) { alternates.append(try Alternate(value)) } catch {}
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
                for alternate in alternates {
                    json.member(alternate.name.text) { json in
                        json.member("layout", alternate.layout)
                        alternate.cells?.encodeMembers(to: &json)
                    }
                }
            }
        }
        json.member("active", active)
    }
}

extension Arrangement.Alternate {
    fileprivate init(_ json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let layout = object.required("layout", as: LayoutID.self)
        let cells = CellStyles(published: &object)
        try object.finish()
        self.init(Name(json.key), try layout(), cells)
    }
}
