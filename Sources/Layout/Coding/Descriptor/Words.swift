package import JSON

// The raw values are the words of a document, and a message lists them in the order of the cases.
extension Axis: JSONDecodable, JSONEncodable {}
extension Alignment: JSONDecodable, JSONEncodable {}
extension InsetsReference: JSONDecodable, JSONEncodable {}
extension ScrollingBehavior: JSONDecodable, JSONEncodable {}
extension ScrollingProperties.Bounce: JSONDecodable, JSONEncodable {}
extension ScrollingProperties.DecelerationRate: JSONDecodable, JSONEncodable {}
extension ListLayout.Appearance: JSONDecodable, JSONEncodable {}
extension ListLayout.HeaderMode: JSONDecodable, JSONEncodable {}
extension ListLayout.FooterMode: JSONDecodable, JSONEncodable {}
extension LayoutEnvironment.SizeClass: JSONDecodable, JSONEncodable {}
extension LayoutEnvironment.LayoutDirection: JSONDecodable, JSONEncodable {}
extension Family.Kind: JSONDecodable, JSONEncodable {}
extension LayoutError.Code: JSONEncodable {}

/// What can be wrong with a layout beyond its JSON; `LayoutError.Code` has the others.
extension JSONIssue.Code {
    package static let invalidID: Self = "INVALID_ID"
    package static let brokenFallback: Self = "BROKEN_FALLBACK"
    package static let insetRange: Self = "INSET_RANGE"
}

extension JSONReader {
    func refuse(_ error: LayoutError, _ message: @autoclosure () -> String) -> JSONReadError {
        refuse(JSONIssue.Code(rawValue: error.code.rawValue), message())
    }
}
