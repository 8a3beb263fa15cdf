/// A moment on the clock of a pool's owner, told as the time since an origin that the owner chooses.
package struct PoolInstant: InstantProtocol {
    package let sinceOrigin: Duration

    package init(_ sinceOrigin: Duration) {
        self.sinceOrigin = sinceOrigin
    }

    package func advanced(by duration: Duration) -> PoolInstant { PoolInstant(sinceOrigin + duration) }

    package func duration(to other: PoolInstant) -> Duration { other.sinceOrigin - sinceOrigin }

    package static func < (a: PoolInstant, b: PoolInstant) -> Bool { a.sinceOrigin < b.sinceOrigin }
}

extension PoolInstant? {
    /// The earlier of two, where there is one.
    static func earliest(_ a: PoolInstant?, _ b: PoolInstant?) -> PoolInstant? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
