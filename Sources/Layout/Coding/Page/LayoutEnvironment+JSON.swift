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

extension Screen: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let name = object.required("name", as: String.self)
        let title = object.required("title", as: String.self)
        let environment = object.required("environment", as: LayoutEnvironment.self)
        try object.finish()
        self.init(name: try name(), title: try title(), environment: try environment())
    }
}

extension ScreenMatrix: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let screens = object.required("screens", as: [Screen].self, .count(1...100))
        try object.finish()
        self.init(screens: try screens())
    }
}
