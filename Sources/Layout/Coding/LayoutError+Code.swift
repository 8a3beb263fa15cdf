package import JSON

extension LayoutError.Code: JSONEncodable {
    /// The code that curators and clients see; it never changes.
    package var text: String {
        switch self {
        case .noRoom: "NO_ROOM"
        case .zeroExtent: "ZERO_EXTENT"
        case .tooManySlots: "TOO_MANY_SLOTS"
        case .tooManySubitems: "TOO_MANY_SUBITEMS"
        case .tooDeep: "TOO_DEEP"
        case .emptyGroup: "EMPTY_GROUP"
        case .tooManyItems: "TOO_MANY_ITEMS"
        }
    }

    package func encode(to json: inout JSONWriter) { text.encode(to: &json) }
}
