internal import CPostgres
internal import EventLoop

extension PostgresConnection {
    /// Calls back once if the server ends the session before `endIdling`, and closes the connection.
    func beginIdling(_ lost: @escaping () -> Void) throws(EventLoopError) {
        if let idleWatch { return try idleWatch.resume() }
        guard let handle else { return }
        idleWatch = try loop.watch(handle.socket, for: .readable, named: "postgres: idle") { [weak self] _ in
            guard let self, let handle = self.handle else { return }
            // What is said to an idle session, such as a changed parameter, is for libpq.
            guard unsafe PQconsumeInput(handle.pointer) == 0 || handle.isBroken else { return }
            abandon()
            lost()
        }
    }

    func endIdling() { idleWatch?.pause() }
}
