package import JSON

extension MeasuredSize: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let width = object.optional("width", as: Magnitude.self)
        let height = object.optional("height", as: Magnitude.self)
        try object.finish()
        self.init(width: width, height: height)
    }
}
