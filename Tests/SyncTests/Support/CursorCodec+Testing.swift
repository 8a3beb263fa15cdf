import Items
import Security
import Values

@testable import Sync

extension CursorCodec {
    /// Returns a codec with public test keys.
    static func testing(_ ids: UInt8..., schema: UInt8 = schema) -> CursorCodec {
        CursorCodec(
            ids.map { id in
                guard let key = HMACKey((0..<32).map { $0 ^ id }) else { preconditionFailure("32 bytes are enough") }
                return Key(id: id) { key.code(of: $0) }
            }, schema: schema, areEqual: { HMACKey.areEqual($0, $1) })
    }
}

extension SyncScope {
    static func testing(
        _ storefront: String = "us", _ feeds: [String]? = nil, _ locale: String = "en", hasLists: Bool = false
    ) -> SyncScope {
        guard let tag = LocaleTag(locale) else { preconditionFailure("\(locale) is no locale") }
        return SyncScope(storefront: storefront, feeds: feeds, hasLists: hasLists, locale: tag)
    }
}
