internal import Security
package import Settings
package import Sync
internal import Telemetry

extension CursorCodec {
    /// An error thrown if no key is configured. The server does not generate one, because the servers of one database
    /// share their keys.
    package struct NoKeys: Error {}

    /// Throws if there is no key.
    package init(_ keys: [SyncKey]) throws(NoKeys) {
        let keys = keys.compactMap { key in
            HMACKey(Array(key.secret.exposed.utf8)).map { message in Key(id: key.id) { message.code(of: $0) } }
        }
        guard !keys.isEmpty else { throw NoKeys() }
        self.init(keys, areEqual: { HMACKey.areEqual($0, $1) })
    }
}
