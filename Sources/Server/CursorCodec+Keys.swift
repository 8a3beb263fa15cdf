internal import Security
package import Settings
package import Sync
internal import Telemetry

extension CursorCodec {
    /// No key is set, and only an operator should make one: the servers of one database share it.
    package struct NoKeys: Error {}

    /// Throws without a key.
    package init(_ keys: [SyncKey]) throws(NoKeys) {
        let keys = keys.compactMap { key in
            HMACKey(Array(key.secret.exposed.utf8)).map { message in Key(id: key.id) { message.code(of: $0) } }
        }
        guard !keys.isEmpty else { throw NoKeys() }
        self.init(keys, areEqual: { HMACKey.areEqual($0, $1) })
    }
}
