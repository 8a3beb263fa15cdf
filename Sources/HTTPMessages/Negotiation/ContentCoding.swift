/// How the bytes of a body are compressed; the best first, should a client not care.
package enum ContentCoding: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case br, gzip, identity

    /// As it stands in a header.
    package var description: String {
        switch self {
        case .br: "br"
        case .gzip: "gzip"
        case .identity: "identity"
        }
    }
}
