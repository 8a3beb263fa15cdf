package import JSON

extension SolvedScroller: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("behavior", behavior)
            json.member("viewport", viewport)
            json.member("contentExtent", contentExtent.published)
            json.member("maximumOffset", maximumOffset.published)
            json.key("pageExtent")
            if let pageExtent { json.value(pageExtent.published) } else { json.null() }
            json.member("additionalInsets") { json in
                json.member("leading", additionalInsets.leading.published)
                json.member("trailing", additionalInsets.trailing.published)
            }
            json.member("restingOffsets", restingOffsets.map(\.published))
        }
    }
}
