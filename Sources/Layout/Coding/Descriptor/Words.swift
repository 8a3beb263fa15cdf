package import JSON

// The raw values are the keywords of documents. Messages list them in the order of the cases.
extension Axis: JSONDecodable, JSONEncodable {}
extension Alignment: JSONDecodable, JSONEncodable {}
extension InsetsReference: JSONDecodable, JSONEncodable {}
extension ScrollingBehavior: JSONDecodable, JSONEncodable {}
extension ScrollingProperties.Bounce: JSONDecodable, JSONEncodable {}
extension ScrollingProperties.DecelerationRate: JSONDecodable, JSONEncodable {}
extension ListLayout.Appearance: JSONDecodable, JSONEncodable {}
extension ListLayout.HeaderMode: JSONDecodable, JSONEncodable {}
extension ListLayout.FooterMode: JSONDecodable, JSONEncodable {}
extension ListLayout.Separators.Visibility: JSONDecodable, JSONEncodable {}
extension TextSize: JSONDecodable, JSONEncodable {}
extension LayoutEnvironment.SizeClass: JSONDecodable, JSONEncodable {}
extension LayoutEnvironment.LayoutDirection: JSONDecodable, JSONEncodable {}
extension Family.Kind: JSONDecodable, JSONEncodable {}
extension LayoutError.Code: JSONEncodable {}

/// The codes of issues that layouts have in addition to those of `LayoutError.Code`.
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
