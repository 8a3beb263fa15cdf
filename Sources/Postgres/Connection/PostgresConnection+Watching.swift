internal import CPostgres
internal import EventLoop
internal import Glibc
internal import Host

extension PostgresConnection {
    /// Calls back once if the server ends the session before `endIdling`, and closes the connection.
    func beginIdling(_ lost: @escaping () -> Void) throws(EventLoopError) {
        guard let handle else { return }
        onLoss = lost
        try socketWatch(handle).resume()
    }

    func endIdling() { onLoss = nil }

    /// What all waits of the session share, so that none has to register anything.
    func socketWatch(_ handle: Handle) throws(EventLoopError) -> Watch {
        if let watch { return watch }
        // libpq closes its descriptor when the connection is lost, and the next thing that is opened gets the number.
        let socket = Descriptor(owning: fcntl(handle.socket, F_DUPFD_CLOEXEC, 0))
        let watch = try loop.watch(socket.number, for: .readable, named: "postgres: query") { [weak self] _ in
            _ = socket.number
            self?.becameReadable()
        }
        self.watch = watch
        return watch
    }

    /// While nobody waits.
    private func becameReadable() {
        guard let handle, let lost = onLoss, state == .idle else { return watch?.pause() ?? () }
        // What is said to an idle session, such as a changed parameter, is for libpq.
        guard unsafe PQconsumeInput(handle.pointer) == 0 || handle.isBroken else { return }
        abandon()
        lost()
    }
}
