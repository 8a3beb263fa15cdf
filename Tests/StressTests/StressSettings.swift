import TestSupport

/// The settings of the processes of a stress test, and its seed.
struct StressSettings: Sendable, CustomStringConvertible {
    let seed: UInt64
    private(set) var loops = 1
    private(set) var poolSize = 4
    /// The number of items in each chunk of a small import.
    private(set) var chunk = 10
    /// The number of items in each chunk of an import of thousands.
    private(set) var largeChunk = 1_000
    private(set) var description: String

    /// Creates the settings that do not depend on chance.
    init(seed: UInt64) {
        self.seed = seed
        description = "seed \(seed)"
    }

    static func drawn(from seed: UInt64) -> Self {
        var (settings, drawn) = (Self(seed: seed), DrawnSettings(seed: seed))
        settings.loops = drawn.draw("loops", default: settings.loops, or: [2, 3])
        settings.poolSize = drawn.draw("pool.size", default: settings.poolSize, or: [1, 2])
        settings.chunk = drawn.draw("chunk", default: settings.chunk, or: [1, 7, 10_000])
        settings.largeChunk = drawn.draw("large chunk", default: settings.largeChunk, or: [100, 1_500, 10_000])
        settings.description = "\(drawn)"
        return settings
    }

    /// The environment of the processes.
    var variables: [String: String] { ["VITRINE_EVENT_LOOPS": "\(loops)", "VITRINE_POOL_SIZE": "\(poolSize)"] }
}
