import Testing

@testable import HTTPMessages

@Suite("Recorded fields")
struct FieldRecordTests {
    private func fields() -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in [("Accept-Encoding", "br"), ("a", "1"), ("a", "2")] {
            fields.append(name: Array(name.utf8).span, value: Array(value.utf8).span)
        }
        return fields.recording()
    }

    private func names(_ read: (HTTPFields) -> Void) -> FieldNameFilter? {
        let fields = fields()
        read(fields)
        return fields.recordedNames
    }

    @Test("Each way to look up a name records it, whether there is such a field or not, also in a copy")
    func names() {
        let present = FieldNameFilter([.acceptEncoding])
        #expect(names { _ = $0[.acceptEncoding] } == present)
        #expect(names { _ = $0.list(.acceptEncoding) } == present)
        #expect(names { _ = $0.listBytes(.acceptEncoding) } == present)
        #expect(names { _ = $0.contains(.acceptEncoding) } == present)
        #expect(names { _ = $0.withFirst(.acceptEncoding) { $0.count } } == present)
        #expect(names { $0.forEach(.acceptEncoding) { _ in } } == present)
        #expect(names { _ = AcceptedCodings($0) } == present)
        #expect(names { _ = $0[.acceptLanguage] } == FieldNameFilter([.acceptLanguage]))
        #expect(
            names { fields in
                let copy = fields
                _ = copy["a"]
                _ = fields[.ifMatch]
            } == FieldNameFilter(["a", .ifMatch]))
        #expect(names { _ in } == FieldNameFilter())
    }

    @Test("A reader of all fields depends on each name")
    func all() {
        for names in [names { _ = $0.count }, names { $0.forEach { _, _ in } }] {
            #expect(names.map { $0.isSubset(of: .declared) } == false)
            #expect(names?.mayContain("any-name") == true && names?.mayContain(.acceptEncoding) == true)
        }
    }

    @Test("Without a record, the fields are the same and nothing is recorded")
    func unrecorded() {
        let fields = fields()
        #expect(fields.unrecorded[.acceptEncoding] == "br" && fields.unrecorded.list("a") == "1, 2" && fields.unrecorded.count == 3)
        #expect(fields.recordedNames == FieldNameFilter() && fields.unrecorded.recordedNames == nil)
        #expect(fields.containsUnrecorded(["a"], FieldNameFilter(["a"])) && !fields.containsUnrecorded(["b"], FieldNameFilter(["b"])))
        #expect(fields.recordedNames == FieldNameFilter())
    }

    @Test("A head has read only declared fields if it has a record and no other field is in it")
    func heads() {
        var reader = HTTP1HeadReader()
        guard case .head(let head, _) = reader.read(Array("GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID: 1\r\n\r\n".utf8).span) else {
            Issue.record("not a head")
            return
        }
        #expect(!head.isOfDeclaredFields && !head.wantsRepetition && head.recording().wantsRepetition)
        let recording = head.recording()
        #expect(recording.isOfDeclaredFields && recording.isShareable && !recording.isRepeatable)
        _ = Precondition(of: recording.fields, method: .get, current: nil)
        _ = AcceptedCodings(recording.fields)
        #expect(recording.isOfDeclaredFields)
        let other = head.recording()
        #expect(!other.isOfClient)
        other.fields.noteClient()
        #expect(other.isOfClient && !other.isOfDeclaredFields && !recording.isOfClient)
        _ = AcceptedLanguages(recording.fields)
        #expect(!recording.isOfDeclaredFields && head.recording().isOfDeclaredFields)
        #expect(recording.isOfDeclaredFieldsOrLanguages && head.recording().isOfDeclaredFieldsOrLanguages)
        #expect(!other.isOfDeclaredFieldsOrLanguages && !head.isOfDeclaredFieldsOrLanguages)
        _ = recording.fields["user-agent"]
        #expect(!recording.isOfDeclaredFieldsOrLanguages)
    }

    @Test(
        "Fields that differ between clients, and those that proxies add, are not taken for declared ones",
        arguments: [
            "user-agent", "accept", "accept-language", "vitrine-client", "vitrine-layout", "x-request-id", "traceparent", "tracestate",
            "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "forwarded", "x-real-ip", "via", "referer", "origin", "cf-ray",
            "cf-connecting-ip", "cf-ipcountry", "cdn-loop", "x-amzn-trace-id", "x-amz-cf-id", "x-correlation-id", "x-cloud-trace-context",
            "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "baggage", "x-request-start", "cache-control", "pragma",
            "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-ch-ua", "dnt", "priority", "x-scheme", "if-modified-since",
            "sentry-trace", "uber-trace-id", "b3", "x-envoy-external-address",
        ])
    func undeclared(name: String) {
        #expect(!isDeclared(name) && !isDeclared(name.uppercased()))
        #expect(FieldNameFilter.languages.mayContain(Array(name.utf8).span) == (name == "accept-language"))
    }

    @Test(
        "The fields of the framing, of private requests and of representations are declared",
        arguments: [
            .host, .connection, .contentLength, .transferEncoding, .expect, .authorization, "cookie", "upgrade", .acceptEncoding, .ifMatch,
            .ifNoneMatch, .xForwardedProto,
        ] as [FieldName])
    func declared(name: FieldName) {
        #expect(FieldNameFilter.declared.mayContain(name) && isDeclared(name.description) && isDeclared(name.description.uppercased()))
    }

    private func isDeclared(_ name: String) -> Bool { FieldNameFilter.declared.mayContain(Array(name.utf8).span) }
}
