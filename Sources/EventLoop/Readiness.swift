internal import CEvent

/// What a descriptor is waited for, and what came.
///
/// An error or an end at the other side makes a descriptor ready for both: the next call on it says what happened.
package struct Readiness: OptionSet, Sendable, Hashable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: Int16(CEVENT_READABLE))
    package static let writable = Readiness(rawValue: Int16(CEVENT_WRITABLE))
}
