package import HTTPMessages

/// An answer as a client gets it: whole, and without its content coding.
package struct InboundResponse: Sendable {
    package let status: Status
    package let fields: HTTPFields
    package let body: [UInt8]

    /// After how many seconds the server wants to be asked again; nil where it says nothing of it, or names a date.
    package var retryAfter: Int? { fields[.retryAfter].flatMap { $0.utf8.count <= 9 ? Int($0) : nil } }
}
