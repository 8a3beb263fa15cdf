internal import Host

/// Blocks the calling thread until an asynchronous body returns.
func blocking<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
) throws(Failure) -> Value {
    try handover(body).wait().get()
}

/// Blocks the calling thread until an asynchronous body returns; nil if that takes longer than the limit.
func blocking<Value: Sendable>(within limit: Duration, _ body: @escaping @Sendable () async -> Value) -> Value? {
    switch handover(body).wait(within: limit) {
    case .success(let value)?: value
    case nil: nil
    }
}

private func handover<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
) -> BlockingPromise<Result<Value, Failure>> {
    let result = BlockingPromise<Result<Value, Failure>>()
    Task {
        do throws(Failure) { result.fulfill(.success(try await body())) } catch { result.fulfill(.failure(error)) }
    }
    return result
}
