/// What a change was answered, for whoever asks for it again under the same key.
package struct StoredResponse: Sendable, Equatable {
    /// Of all that the request asked for, in 32 bytes.
    package let requestHash: [UInt8]
    package let status: Int
    package let etag: String?
    package let location: String?
    package let body: [UInt8]

    package init(requestHash: [UInt8], status: Int, etag: String?, location: String?, body: [UInt8]) {
        self.requestHash = requestHash
        self.status = status
        self.etag = etag
        self.location = location
        self.body = body
    }
}
