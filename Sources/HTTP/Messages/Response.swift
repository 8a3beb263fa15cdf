package import HTTPMessages

/// An answer to a request; Date, Content-Length, Transfer-Encoding and Connection are added as it is sent.
package struct Response: Sendable {
    package var status: Status
    /// In front of the others.
    package var prepared: PrebuiltHeaders?
    /// The fields that many responses have in common, after those.
    package var common: PrebuiltHeaders?
    package var fields: [ResponseField]
    /// Told to the client.
    package var requestID: RequestID?
    package var body: Body
    /// What HEAD says of the body that GET would have; nil for that of `body`.
    package var contentLength: Int?

    package init(_ status: Status, prepared: PrebuiltHeaders? = nil, fields: [ResponseField] = [], body: Body = .empty) {
        self.status = status
        self.prepared = prepared
        self.fields = fields
        self.body = body
    }
}
