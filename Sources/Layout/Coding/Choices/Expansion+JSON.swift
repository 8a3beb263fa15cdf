package import JSON

/// A layout in full, with those beside it in place; a curator's choice is read back from it.
extension Expansion: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            layout.encodeMembers(to: &json)
            if !variants.isEmpty {
                json.key("variants")
                json.array { json in
                    for variant in variants {
                        json.object { json in
                            json.member("when", variant.condition)
                            json.member("layout", variant.layout)
                        }
                    }
                }
            }
            guard active != nil || !alternates.isEmpty else { return }
            json.member("alternates") { json in
                if let active { json.member(active.text, "active") }
                for alternate in alternates { json.member(alternate.name.text, alternate.layout) }
            }
        }
    }
}
