internal import CEvent

/// What a descriptor is waited for, and what came.
///
/// An error makes a descriptor ready for both, an end at the other side at least readable: the next call on it says what happened.
package struct Readiness: OptionSet, Sendable, Hashable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: Int16(CEVENT_READABLE))
    package static let writable = Readiness(rawValue: Int16(CEVENT_WRITABLE))
}
