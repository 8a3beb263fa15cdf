package import JSON

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
