/// What somebody said with NOTIFY.
package struct PostgresNotification: Sendable, Equatable {
    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}
