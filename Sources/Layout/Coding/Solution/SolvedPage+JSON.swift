package import JSON

extension SolvedPage: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("contentSize", contentSize)
            json.key("sections")
            json.array { json in
                for section in sections { section.encode(to: &json, scale: scale) }
            }
            if !boundaryItems.isEmpty { json.member("boundarySupplementaryItems", boundaryItems) }
        }
    }
}
