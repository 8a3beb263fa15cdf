extension FieldNameFilter {
    /// The declared fields: those that may decide the response to a request which is also sent to requests that differ in other fields.
    /// A response for which another field was looked up is not sent to them.
    ///
    /// No response is sent to others if its request has a private field. These fields are declared, so that a request with one
    /// differs from each request without it.
    package static let declared = FieldNameFilter(
        FramingHeaders.names + RequestHead.privateFields + [.acceptEncoding, .ifMatch, .ifNoneMatch, .xForwardedProto])

    /// The field that may decide a response by an outcome, such as a locale. A line of another name that may be in this set is
    /// declared.
    package static let languages = FieldNameFilter([.acceptLanguage])
    static let declaredOrLanguages = declared.union(languages)
}

extension RequestHead {
    /// The fields of requests that are answered by their handler only.
    fileprivate static let privateFields: [FieldName] = [.authorization, "cookie", .expect, "upgrade"]
    private static let privateFilter = FieldNameFilter(privateFields)

    /// The fields that make the response depend on more than the bytes of the head: on the connected proxy, or on the request itself,
    /// whose ID is returned.
    private static let individualFields: [FieldName] = [.xForwardedFor, .xForwardedProto, .xRequestID]
    private static let individualFilter = FieldNameFilter(individualFields)

    /// Whether other requests may get the same response, apart from its date and its ID, as long as the content stays the same. They
    /// must have equal declared fields, and the response must depend on no other field.
    package var isShareable: Bool {
        version != .http10 && keepsAlive && framing == .none && (method == .get || method == .head)
            && !fields.containsUnrecorded(Self.privateFields, Self.privateFilter)
    }

    /// Whether each request with the same bytes gets the same response, apart from its date and its ID, as long as the content
    /// stays the same.
    package var isRepeatable: Bool {
        isShareable && !fields.containsUnrecorded(Self.individualFields, Self.individualFilter)
    }

    /// Whether the permission to repeat the response would be used. Only the responses to recorded heads are stored.
    package var wantsRepetition: Bool { isShareable && fields.recordedNames != nil }

    /// Whether the head has a record, according to which the response depends on the client.
    package var isOfClient: Bool { fields.isOfClient }

    /// Whether the head has a record, according to which the response depends on no other fields than the declared ones.
    package var isOfDeclaredFields: Bool { !isOfClient && fields.recordedNames?.isSubset(of: .declared) ?? false }

    /// Whether the head has a record, according to which the response depends on no other fields than the declared ones and
    /// `Accept-Language`.
    package var isOfDeclaredFieldsOrLanguages: Bool {
        !isOfClient && fields.recordedNames?.isSubset(of: .declaredOrLanguages) ?? false
    }
}
