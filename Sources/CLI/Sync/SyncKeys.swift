internal import Host
internal import Settings
internal import Telemetry
internal import Values

enum SyncKeys {
    /// Returns a new key with an unused number and a random secret.
    static func another(beside keys: [SyncKey]) -> SyncKey {
        var id = (keys.map(\.id).max() ?? 0) &+ 1
        while keys.contains(where: { $0.id == id }) { id &+= 1 }
        return key(id)
    }

    /// Returns a key for this process only. Its random number usually differs from that of the next process.
    static func passing() -> SyncKey { key(UInt8.random(in: .min ... .max)) }

    private static func key(_ id: UInt8) -> SyncKey {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return SyncKey(id: id, secret: Secret(Base64URL.encode(bytes)))
    }

    static func text(of keys: [SyncKey]) -> String { keys.map { "\($0.id):\($0.secret.exposed)" }.joined(separator: ",") }

    /// Returns the keys of a developer's folder. Creates one if there is no key yet.
    static func kept(in folder: String) throws -> [SyncKey] {
        let path = Path.join(folder, "sync-keys")
        do throws(HostError) {
            let text = String(decoding: try Files.read(path, limit: 1 << 16), as: UTF8.self)
            let keys = text.split(whereSeparator: \.isWhitespace).joined().split(separator: ",").compactMap { SyncKey(String($0)) }
            if !keys.isEmpty { return keys }
        } catch {
            guard error.code == .notFound else { throw error }
        }
        let key = another(beside: [])
        try Files.makeDirectory(folder)
        try Descriptor(opening: path, .create).write(Array("\(text(of: [key]))\n".utf8), subject: path)
        return [key]
    }
}
