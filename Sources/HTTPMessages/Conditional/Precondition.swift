/// What the conditions of a request make of it, before anything is done.
///
/// They are asked in the order of RFC 9110, section 13.2.2; times are no conditions here, since a tag says more. The RFC leaves open what
/// becomes of a malformed list: it is as if it were absent where a request changes nothing, and fails one that does, because whoever sent it
/// meant to protect something.
package enum Precondition: Sendable, Hashable {
    case proceed
    /// The client has what it asks for: 304.
    case notModified
    /// The state is not the one that the client knows: 412.
    case failed

    /// Compares with the tag of the state that there is, which is nil where there is none.
    package init(of fields: borrowing HTTPFields, method: Method, current: borrowing EntityTag?) {
        self = method == .options ? .proceed : Self.ifMatch(fields, method, current) ?? Self.ifNoneMatch(fields, method, current)
    }

    /// Nil where it stands in nobody's way.
    private static func ifMatch(_ fields: borrowing HTTPFields, _ method: Method, _ current: borrowing EntityTag?) -> Precondition? {
        switch EntityTagList(.ifMatch, of: fields, asks: current, .strong) {
        case .absent, .contains: nil
        case .any: current == nil ? .failed : nil
        case .lacks: .failed
        case .malformed: method.isSafe ? nil : .failed
        }
    }

    private static func ifNoneMatch(_ fields: borrowing HTTPFields, _ method: Method, _ current: borrowing EntityTag?) -> Precondition {
        switch EntityTagList(.ifNoneMatch, of: fields, asks: current, .weak) {
        case .absent, .lacks: .proceed
        case .any where current == nil: .proceed
        case .any, .contains: method.isSafe ? .notModified : .failed
        case .malformed: method.isSafe ? .proceed : .failed
        }
    }
}
