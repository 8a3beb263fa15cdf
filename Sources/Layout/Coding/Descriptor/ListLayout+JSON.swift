package import JSON

extension ListLayout: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let standard = ListLayout()
        var object = try json.object()
        let appearance = object.essential("appearance", default: standard.appearance)
        let showsSeparators = object.essential("showsSeparators", default: standard.showsSeparators)
        let headerMode = object.essential("headerMode", default: standard.headerMode)
        let footerMode = object.essential("footerMode", default: standard.footerMode)
        let headerTopPadding = object.essential("headerTopPadding", default: standard.headerTopPadding)
        let rowHeight = object.essential("rowHeight", default: standard.rowHeight)
        let leading = object.value("leadingSwipeActions", default: [Name]())
        let trailing = object.value("trailingSwipeActions", default: [Name]())
        try object.finish()
        self.init(
            appearance: appearance, showsSeparators: showsSeparators, headerMode: headerMode, footerMode: footerMode,
            headerTopPadding: headerTopPadding, rowHeight: rowHeight, leadingSwipeActions: leading, trailingSwipeActions: trailing)
    }

    package func encode(to json: inout JSONWriter) {
        let standard = ListLayout()
        json.object { json in
            json.member("appearance", appearance, unless: standard.appearance)
            json.member("showsSeparators", showsSeparators, unless: standard.showsSeparators)
            json.member("headerMode", headerMode, unless: standard.headerMode)
            json.member("footerMode", footerMode, unless: standard.footerMode)
            json.member("headerTopPadding", headerTopPadding)
            json.member("rowHeight", rowHeight, unless: standard.rowHeight)
            json.member("leadingSwipeActions", leadingSwipeActions, unless: [])
            json.member("trailingSwipeActions", trailingSwipeActions, unless: [])
        }
    }
}
