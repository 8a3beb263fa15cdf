package import JSON

extension PageConfiguration: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let scrollDirection = object.essential("scrollDirection", default: Axis.vertical)
        let interSectionSpacing = object.essential("interSectionSpacing", default: 0 as Magnitude)
        let reference = object.essential("contentInsetsReference", default: InsetsReference.automatic)
        let boundaryItems = object.essential("boundarySupplementaryItems", default: [BoundaryItem]())
        try object.finish()
        self.init(
            scrollDirection: scrollDirection, interSectionSpacing: interSectionSpacing, contentInsetsReference: reference,
            boundarySupplementaryItems: boundaryItems)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("scrollDirection", scrollDirection, unless: .vertical)
            json.member("interSectionSpacing", interSectionSpacing, unless: 0)
            json.member("contentInsetsReference", contentInsetsReference, unless: .automatic)
            json.member("boundarySupplementaryItems", boundarySupplementaryItems, unless: [])
        }
    }
}
