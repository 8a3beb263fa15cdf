extension Observation {
    /// How much a person has to care.
    ///
    /// Four on purpose: whoever writes an observation should never have to ponder which of two neighbours is meant.
    package enum Level: String, Sendable, CaseIterable, Comparable {
        /// Of use to whoever looks for a defect in Vitrine itself.
        case debug
        /// The normal course of things: started, served, published, stopped.
        case info
        /// Something failed, and Vitrine got over it; many of them need a look.
        case warning
        /// Something that was asked for could not be done.
        case error

        package static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }
}
