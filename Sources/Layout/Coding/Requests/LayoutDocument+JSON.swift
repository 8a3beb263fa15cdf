package import JSON

extension LayoutDocument: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.node["layouts"]?.kind {
        case .array: self = .request(try json.decode())
        case .object: self = .page(try json.decode())
        default: self = .choice(try json.decode())
        }
    }
}
