import Host

struct ServerProcess: ~Copyable {
    let process: Int32
    private var child: ChildProcess?
    let isAttached: Bool

    init(child: consuming ChildProcess) {
        process = child.id
        self.child = consume child
        isAttached = false
    }

    init(attachingTo process: Int32) {
        self.process = process
        child = nil
        isAttached = true
    }

    mutating func isRunning() -> Bool {
        if child != nil { return child?.ended() == nil }
        return RunningProcess(id: process).map { ["postgres", "postmaster"].contains($0.name) } ?? false
    }

    mutating func stop(pause: PrivateCluster.Pause) throws(ClusterError) {
        if try ends(.interrupt, within: .seconds(2), pause) { return }
        // The server kills child processes that do not end within five seconds.
        if try ends(.quit, within: .seconds(8), pause) { return }
        throw ClusterError(
            .stopFailed, "PostgreSQL (process \(process)) did not stop",
            advice: "Inspect the process (ps \(process)). The next start attaches to it.")
    }

    /// Sends a signal and returns whether the server ends in time. An interruption by the user ends only the wait for
    /// the orderly shutdown, because nothing is faster than an immediate one.
    private mutating func ends(_ signal: Signal, within limit: Duration, _ pause: PrivateCluster.Pause) throws(ClusterError) -> Bool {
        do throws(HostError) { try RunningProcess.send(signal, to: process) } catch {
            throw ClusterError(.stopFailed, "\(error)", advice: "Stop PostgreSQL manually, as the user that runs it: kill -INT \(process).")
        }
        let end = ContinuousClock.now + limit
        while isRunning() {
            if ContinuousClock.now > end { return false }
            do throws(ClusterError) { try pause(.milliseconds(20)) } catch  where error.code == .interrupted {
                if signal == .interrupt { return false }
            }
        }
        return true
    }
}
