package import JSON

extension ListLayout: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let standard = ListLayout()
        appearance = object.essential("appearance", default: standard.appearance)
        showsSeparators = object.essential("showsSeparators", default: standard.showsSeparators)
        headerMode = object.essential("headerMode", default: standard.headerMode)
        footerMode = object.essential("footerMode", default: standard.footerMode)
        headerTopPadding = object.essential("headerTopPadding", default: standard.headerTopPadding)
        rowHeight = object.essential("rowHeight", default: standard.rowHeight)
        leadingSwipeActions = object.value("leadingSwipeActions", default: [])
        trailingSwipeActions = object.value("trailingSwipeActions", default: [])
        separators = object.value("separators", default: .standard)
        background = object.optional("background")
        rowBackground = object.optional("rowBackground")
    }

    package func encodeMembers(to json: inout JSONWriter) {
        let standard = ListLayout()
        json.member("appearance", appearance, unless: standard.appearance)
        json.member("showsSeparators", showsSeparators, unless: standard.showsSeparators)
        json.member("headerMode", headerMode, unless: standard.headerMode)
        json.member("footerMode", footerMode, unless: standard.footerMode)
        json.member("headerTopPadding", headerTopPadding)
        json.member("rowHeight", rowHeight, unless: standard.rowHeight)
        json.member("leadingSwipeActions", leadingSwipeActions, unless: [])
        json.member("trailingSwipeActions", trailingSwipeActions, unless: [])
        json.member("separators", separators, unless: .standard)
        json.member("background", background)
        json.member("rowBackground", rowBackground)
    }
}

extension ListLayout.Separators: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        visibility = object.value("visibility", default: .automatic)
        color = object.optional("color")
        insets = object.value("insets", default: .zero)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("visibility", visibility, unless: .automatic)
        json.member("color", color)
        json.member("insets", insets, unless: .zero)
    }
}
