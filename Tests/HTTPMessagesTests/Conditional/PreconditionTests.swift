import HTTPMessages
import Testing

@Suite("Preconditions of requests")
struct PreconditionTests {
    struct Case: Sendable {
        let ifMatch: String?
        let ifNoneMatch: String?
        let current: EntityTag?
        let get: Precondition
        let put: Precondition

        init(_ ifMatch: String?, _ ifNoneMatch: String?, _ current: EntityTag?, get: Precondition, put: Precondition) {
            self.ifMatch = ifMatch
            self.ifNoneMatch = ifNoneMatch
            self.current = current
            self.get = get
            self.put = put
        }
    }

    private static let strong = EntityTag("a")
    private static let weak = EntityTag("a", isWeak: true)

    static let cases = [
        Case(nil, nil, strong, get: .proceed, put: .proceed),
        Case(nil, nil, nil, get: .proceed, put: .proceed),
        Case(#""a""#, nil, strong, get: .proceed, put: .proceed),
        Case(#""b", "a""#, nil, strong, get: .proceed, put: .proceed),
        Case(#""b""#, nil, strong, get: .failed, put: .failed),
        Case(#"W/"a""#, nil, strong, get: .failed, put: .failed),
        Case(#""a""#, nil, weak, get: .failed, put: .failed),
        Case(#""a""#, nil, nil, get: .failed, put: .failed),
        Case("*", nil, strong, get: .proceed, put: .proceed),
        Case("*", nil, weak, get: .proceed, put: .proceed),
        Case("*", nil, nil, get: .failed, put: .failed),
        Case("a", nil, strong, get: .proceed, put: .failed),
        Case("", nil, strong, get: .proceed, put: .failed),
        Case(nil, #""a""#, strong, get: .notModified, put: .failed),
        Case(nil, #"W/"a""#, strong, get: .notModified, put: .failed),
        Case(nil, #""a""#, weak, get: .notModified, put: .failed),
        Case(nil, #""b""#, strong, get: .proceed, put: .proceed),
        Case(nil, #""a""#, nil, get: .proceed, put: .proceed),
        Case(nil, "*", strong, get: .notModified, put: .failed),
        Case(nil, "*", nil, get: .proceed, put: .proceed),
        Case(nil, "a", strong, get: .proceed, put: .failed),
        Case(nil, "a", nil, get: .proceed, put: .failed),
        Case(#""a""#, #""a""#, strong, get: .notModified, put: .failed),
        Case(#""a""#, #""b""#, strong, get: .proceed, put: .proceed),
        Case(#""b""#, #""a""#, strong, get: .failed, put: .failed),
        Case("a", #""a""#, strong, get: .notModified, put: .failed),
    ]

    @Test("Each condition has one outcome for reading and one for changing", arguments: cases)
    func table(_ condition: Case) {
        var fields = HTTPFields()
        if let value = condition.ifMatch { fields.append(name: Array("if-match".utf8).span, value: Array(value.utf8).span) }
        if let value = condition.ifNoneMatch { fields.append(name: Array("If-None-Match".utf8).span, value: Array(value.utf8).span) }
        func outcome(_ method: HTTPMessages.Method) -> Precondition { Precondition(of: fields, method: method, current: condition.current) }
        for method in [HTTPMessages.Method.get, .head] { #expect(outcome(method) == condition.get) }
        for method in [HTTPMessages.Method.put, .patch, .post, .delete, .other("X")] { #expect(outcome(method) == condition.put) }
        #expect(outcome(.options) == .proceed)
    }
}
