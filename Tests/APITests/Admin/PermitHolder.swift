@testable import API

/// A task that acquires a permit and releases it on request.
struct PermitHolder: Sendable {
    let task: Task<Void, any Error>
    let release: AsyncStream<Void>.Continuation
    private let admissions: AsyncStream<Void>

    init(_ limiter: AdminConcurrencyLimiter) {
        let (admissions, admission) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        self.admissions = admissions
        self.release = release
        task = Task {
            try await limiter.withPermit {
                admission.yield()
                for await _ in releases { break }
            }
        }
    }

    func waitUntilAdmitted() async { for await _ in admissions { break } }
}
