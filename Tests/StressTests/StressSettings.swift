import TestSupport

/// The settings of the processes of a stress test, and its seed.
struct StressSettings: Sendable, CustomStringConvertible {
    let seed: UInt64
    private(set) var loops = 1
    private(set) var poolSize = 4
    /// The number of items in each chunk of a small import.
    private(set) var chunk = 10
    /// The number of items of a small import. More than 500 waiting ones are many for a drain.
    private(set) var imported = 30
    /// The number of sections of each revision of the first feed in addition to the random ones. If an import affects more than
    /// eight, some are due.
    private(set) var sections = 0
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
        settings.imported = drawn.draw("imported", default: settings.imported, or: [600])
        settings.sections = drawn.draw("sections", default: 4, or: [12])
        // Each chunk is a transaction of a process with a time limit.
        settings.chunk = max(settings.chunk, settings.imported / 60)
        settings.largeChunk = drawn.draw("large chunk", default: settings.largeChunk, or: [100, 1_500, 10_000])
        settings.description = "\(drawn)"
        return settings
    }

    /// The environment of the processes.
    var variables: [String: String] { ["VITRINE_EVENT_LOOPS": "\(loops)", "VITRINE_POOL_SIZE": "\(poolSize)"] }
}
