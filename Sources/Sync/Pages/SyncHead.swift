/// What there is to know of all that is published, at one moment.
package struct SyncHead: Sendable, Equatable {
    package let version: Int
    /// Up to which it was forgotten what has gone.
    package let floor: Int
    /// Whether all of it is of one committed state: nothing waits to be published that was committed before.
    package let isComplete: Bool
    package let history: EpochHistory

    package init(version: Int, floor: Int, isComplete: Bool = true, history: EpochHistory) {
        self.version = version
        self.floor = floor
        self.isComplete = isComplete
        self.history = history
    }
}
