/// The result of a request's preconditions, which are evaluated before anything else.
///
/// The order is that of RFC 9110, section 13.2.2. Dates are ignored, because tags are more exact. The RFC does not
/// define the effect of a malformed list. A safe request ignores it; an unsafe one fails, because its client intended a
/// protection.
package enum Precondition: Sendable, Hashable {
    case proceed
    /// The client has the current state: 304.
    case notModified
    /// The current state is not the expected one: 412.
    case failed

    /// Compares the conditions with the tag of the current state, or with nil if the resource does not exist.
    package init(of fields: borrowing HTTPFields, method: Method, current: borrowing EntityTag?) {
        self = method == .options ? .proceed : Self.ifMatch(fields, method, current) ?? Self.ifNoneMatch(fields, method, current)
    }

    /// Returns nil if the condition does not prevent the request.
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
