package import JSON

extension LayoutEnvironment: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let width = object.required("width", as: Magnitude.self)
        let height = object.required("height", as: Magnitude.self)
        scale = object.essential("scale", default: 1)
        horizontalSizeClass = object.essential("horizontalSizeClass", default: .compact)
        verticalSizeClass = object.essential("verticalSizeClass", default: .regular)
        textSize = object.essential("textSize", default: .standard)
        layoutDirection = object.essential("layoutDirection", default: .leftToRight)
        safeArea = object.essential("safeArea", default: .zero)
        layoutMargins = object.essential("layoutMargins", default: nil)
        readableContent = object.essential("readableContent", default: nil)
        self.width = try width()
        self.height = try height()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("width", width)
        json.member("height", height)
        json.member("scale", scale, unless: 1)
        json.member("horizontalSizeClass", horizontalSizeClass, unless: .compact)
        json.member("verticalSizeClass", verticalSizeClass, unless: .regular)
        json.member("textSize", textSize, unless: .standard)
        json.member("layoutDirection", layoutDirection, unless: .leftToRight)
        json.member("safeArea", safeArea, unless: .zero)
        json.member("layoutMargins", layoutMargins)
        json.member("readableContent", readableContent)
    }
}

extension PageConfiguration: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        scrollDirection = object.essential("scrollDirection", default: .vertical)
        interSectionSpacing = object.essential("interSectionSpacing", default: 0)
        contentInsetsReference = object.essential("contentInsetsReference", default: .automatic)
        boundarySupplementaryItems = object.essential("boundarySupplementaryItems", default: [])
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("scrollDirection", scrollDirection, unless: .vertical)
        json.member("interSectionSpacing", interSectionSpacing, unless: 0)
        json.member("contentInsetsReference", contentInsetsReference, unless: .automatic)
        json.member("boundarySupplementaryItems", boundarySupplementaryItems, unless: [])
    }
}

extension Screen: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let name = object.required("name", as: String.self)
        let title = object.required("title", as: String.self)
        let environment = object.required("environment", as: LayoutEnvironment.self)
        self.init(name: try name(), title: try title(), environment: try environment())
    }
}

extension ScreenMatrix: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let screens = object.required("screens", as: [Screen].self, .count(1...100))
        self.screens = try screens()
    }
}
