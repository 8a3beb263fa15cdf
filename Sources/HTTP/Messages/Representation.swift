package import HTTPMessages

/// One state of a resource, ready to be sent any number of times: its bytes in each coding, with their tags.
package final class Representation: Sendable {
    private final class Variant: Sendable {
        let tag: EntityTag
        let fields: PreparedFields
        let body: Body

        init(tag: EntityTag, fields: PreparedFields, body: Body) {
            self.tag = tag
            self.fields = fields
            self.body = body
        }
    }

    /// Smaller bodies fit into one packet as they are.
    private static let compressedFrom = 512

    private let identity: Variant
    private let gzip: Variant?
    private let br: Variant?

    /// Compresses, which takes its time where the effort is thorough.
    ///
    /// Without an effort nothing is compressed. `version` is what tells this state from all others of the resource; each coding has a tag of its own made of it, as the tags are strong.
    package init(
        _ bytes: [UInt8], type: String, version: String, fields: [ResponseField] = [], effort: ContentCoding.Effort?
    ) {
        let make = { (coding: ContentCoding, body: [UInt8]) in
            let tag = EntityTag(coding == .identity ? version : "\(version)-\(coding)")
            var own = [ResponseField(.contentType, type), ResponseField(.etag, tag.description), ResponseField(.vary, "accept-encoding")]
            if coding != .identity { own.append(ResponseField(.contentEncoding, coding.description)) }
            return Variant(tag: tag, fields: PreparedFields(own + fields), body: Body(body))
        }
        let compress = { (coding: ContentCoding) -> Variant? in
            guard let effort, bytes.count >= Self.compressedFrom, let compressed = coding.compress(bytes, effort),
                compressed.count < bytes.count
            else { return nil }
            return make(coding, compressed)
        }
        identity = make(.identity, bytes)
        gzip = compress(.gzip)
        br = compress(.br)
    }

    /// How much of them there is in memory, in all codings.
    package var bytes: Int { [identity, gzip, br].reduce(0) { $0 + ($1?.body.count ?? 0) } }

    /// What a request gets: the bytes in the coding that the client likes most, 304 where it has them, 412 where it expected others.
    package func response(to head: RequestHead) -> Response {
        let variant = preferred(by: head.fields)
        return switch Precondition(of: head.fields, method: head.method, current: variant.tag) {
        case .proceed: Response(.ok, prepared: variant.fields, body: variant.body)
        case .notModified: Response(.notModified, prepared: variant.fields)
        case .failed: Response(.preconditionFailed)
        }
    }

    /// One who refuses even what is not compressed gets it all the same, which RFC 9110 prefers to an error.
    private func preferred(by fields: Fields) -> Variant {
        guard gzip != nil || br != nil else { return identity }
        let coding = AcceptedCodings(fields).preferred { coding in
            switch coding {
            case .br: br != nil
            case .gzip: gzip != nil
            case .identity: true
            }
        }
        return switch coding {
        case .br: br ?? identity
        case .gzip: gzip ?? identity
        case .identity, nil: identity
        }
    }
}
