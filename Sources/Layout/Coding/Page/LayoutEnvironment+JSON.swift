package import JSON

extension LayoutEnvironment: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let width = object.required("width", as: Magnitude.self)
        let height = object.required("height", as: Magnitude.self)
        let scale = object.essential("scale", default: 1 as Scale)
        let sizeClass = object.essential("horizontalSizeClass", default: SizeClass.compact)
        let direction = object.essential("layoutDirection", default: LayoutDirection.leftToRight)
        let safeArea = object.essential("safeArea", default: EdgeLengths.zero)
        let layoutMargins = object.essential("layoutMargins", default: EdgeLengths?.none)
        let readableContent = object.essential("readableContent", default: EdgeLengths?.none)
        try object.finish()
        self.init(
            width: try width(), height: try height(), scale: scale, horizontalSizeClass: sizeClass, layoutDirection: direction,
            safeArea: safeArea, layoutMargins: layoutMargins, readableContent: readableContent)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("width", width)
            json.member("height", height)
            json.member("scale", scale, unless: 1)
            json.member("horizontalSizeClass", horizontalSizeClass, unless: .compact)
            json.member("layoutDirection", layoutDirection, unless: .leftToRight)
            json.member("safeArea", safeArea, unless: .zero)
            json.member("layoutMargins", layoutMargins)
            json.member("readableContent", readableContent)
        }
    }
}
