internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Listens on the channels until the session ends. Notifications of transactions that were committed before are lost.
    package func listen(to channels: [String], until deadline: Deadline) async throws(PostgresError) {
        try await run(
            channels.map { PostgresQuery("listen", "LISTEN \"\($0.replacing("\"", with: "\"\""))\"", isPrepared: false) }, until: deadline)
    }

    /// Waits for notifications and returns all that have arrived. Returns an empty array if the deadline passes first.
    package func notifications(until deadline: Deadline) async throws(PostgresError) -> [PostgresNotification] {
        // A passed deadline is a normal result here.
        let handle = try startCall("notifications", until: .never)
        defer { endCall() }
        while true {
            let notifications = receive(handle)
            guard notifications.isEmpty else { return notifications }
            guard !handle.isBroken else {
                abandon()
                throw lost(handle, "notifications")
            }
            do throws(PostgresError) {
                try await waitForSocket(handle, .readable, "notifications", until: deadline)
            } catch {
                if error.code == .deadlinePassed { return [] }
                throw error
            }
        }
    }

    private func receive(_ handle: Handle) -> [PostgresNotification] {
        var notifications: [PostgresNotification] = []
        while let next = unsafe PQnotifies(handle.pointer) {
            defer { unsafe PQfreemem(next) }
            let channel = unsafe String(cString: next.pointee.relname)
            unsafe notifications.append(PostgresNotification(channel: channel, payload: String(cString: next.pointee.extra)))
        }
        return notifications
    }
}

/// A message that was sent with NOTIFY.
package struct PostgresNotification: Sendable, Equatable {
    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}
