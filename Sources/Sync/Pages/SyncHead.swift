/// What there is to know of all that is published, at one moment.
package struct SyncHead: Sendable, Equatable {
    package let version: Int
    /// Up to which it was forgotten what has gone.
    package let floor: Int
    package let history: EpochHistory

    package init(version: Int, floor: Int, history: EpochHistory) {
        self.version = version
        self.floor = floor
        self.history = history
    }
}
