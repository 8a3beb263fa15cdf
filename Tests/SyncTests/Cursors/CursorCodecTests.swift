import Catalog
import TestSupport
import Testing
import Values

@testable import Sync

@Suite("The sync cursor")
struct CursorCodecTests {
    private static let cursors: [SyncCursor] = [
        SyncCursor(epoch: EpochID(nonce: 0), version: 0), SyncCursor(epoch: EpochID(nonce: .max), version: 127, base: 128, received: 300),
        SyncCursor(epoch: EpochID(nonce: 0x0123_4567_89AB_CDEF), version: 1_000_000, base: 2_000_000, received: 2_000_001),
        SyncCursor(epoch: EpochID(nonce: 7), version: 1 << 62, received: .max), SyncCursor(epoch: EpochID(nonce: 7), version: .max),
        SyncCursor(epoch: EpochID(nonce: 7), version: 300, storefrontVersion: 1),
        SyncCursor(epoch: EpochID(nonce: 7), version: 1_000_000, base: 2_000_000, received: 2_000_001, storefrontVersion: 999_999),
    ]

    private func failure(_ text: String, _ codec: CursorCodec = .testing(1), _ scope: SyncScope = .testing()) -> CursorCodec.Failure? {
        do throws(CursorCodec.Failure) {
            _ = try codec.cursor(of: text, in: scope)
            return nil
        } catch {
            return error
        }
    }

    @Test("A cursor decodes to the same value, and its text is short", arguments: cursors)
    func roundTrip(cursor: SyncCursor) throws {
        let text = CursorCodec.testing(1).text(of: cursor, in: .testing())
        #expect(try CursorCodec.testing(1).cursor(of: text, in: .testing()) == cursor)
        #expect(text.utf8.count <= (cursor.version > 1 << 40 ? 64 : 52))
    }

    @Test("The text of a typical cursor has 43 characters")
    func length() {
        let cursor = SyncCursor(epoch: EpochID(nonce: 0xFFFF_FFFF_FFFF_FFFF), version: 1_500_000)
        #expect(CursorCodec.testing(1).text(of: cursor, in: .testing()).utf8.count == 43)
    }

    @Test("A cursor drops its base and seen versions once it has reached them")
    func settled() {
        let cursor = SyncCursor(epoch: EpochID(nonce: 1), version: 10, base: 10, received: 9)
        #expect(cursor.base == 0 && cursor.received == 0 && cursor.settled == 10)
        #expect(SyncCursor(epoch: EpochID(nonce: 1), version: 10, base: 12).settled == 12)
    }

    @Test("A truncated, extended or altered cursor is rejected", arguments: cursors)
    func damaged(cursor: SyncCursor) throws {
        let text = CursorCodec.testing(1).text(of: cursor, in: .testing())
        for length in 0..<text.count { #expect(failure(String(text.prefix(length))) == .damaged) }
        for longer in [text + "A", text + "=", " " + text, text + text] { #expect(failure(longer) == .damaged) }
        let bytes = try #require(Base64URL.decode(text))
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            // An altered key ID cannot be told apart from the ID of a retired key.
            #expect(failure(Base64URL.encode(changed)) == (bit / 8 == 13 ? .ofUnknownKey : .damaged), "bit \(bit)")
        }
    }

    @Test("A cursor has exactly one spelling")
    func spelling() throws {
        let text = CursorCodec.testing(1).text(of: Self.cursors[2], in: .testing())
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        if standard != text { #expect(failure(standard) == .damaged) }
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        // Unused bits have to be zero.
        for digit in digits where digit != text.last {
            let other = String(text.dropLast()) + String(digit)
            #expect(failure(other) == .damaged)
        }
    }

    @Test("A cursor with an overlong number is rejected, even with a valid signature")
    func overlong() throws {
        let codec = CursorCodec.testing(1)
        let bytes = try #require(Base64URL.decode(codec.text(of: Self.cursors[0], in: .testing())))
        var message = Array(bytes[12...])
        message.replaceSubrange(10..<11, with: [0x80, 0x00])
        let code = try #require(SealedByHand(key: 1).code("sync", message))
        #expect(failure(Base64URL.encode(code + message)) == .damaged)
    }

    @Test("A cursor names the version of a storefront only if it is not 0, even with a valid signature")
    func zero() throws {
        let codec = CursorCodec.testing(1)
        let bytes = try #require(Base64URL.decode(codec.text(of: Self.cursors[5], in: .testing())))
        var message = Array(bytes[12...])
        #expect(message[0] == 2 && message[14] == 1)
        message[14] = 0
        let code = try #require(SealedByHand(key: 1).code("sync", message))
        #expect(failure(Base64URL.encode(code + message)) == .damaged)
    }

    @Test(
        "A cursor of another scope is rejected as such",
        arguments: [
            SyncScope.testing("de"), .testing("us", ["games"]), .testing("us", []), .testing("us", nil, "es"),
            .testing("us", ["today"], hasLists: true),
            .testing("us", ["games", "today"]),
        ])
    func scopes(other: SyncScope) {
        let text = CursorCodec.testing(1).text(of: Self.cursors[2], in: .testing())
        #expect(failure(text, .testing(1), other) == .ofAnotherScope)
        let back = CursorCodec.testing(1).text(of: Self.cursors[2], in: other)
        #expect(failure(back) == .ofAnotherScope)
    }

    @Test("The order and repetition of the feeds do not change the scope of a cursor")
    func order() throws {
        let text = CursorCodec.testing(1).text(of: Self.cursors[2], in: .testing("us", ["today", "games", "today"]))
        #expect(try CursorCodec.testing(1).cursor(of: text, in: .testing("us", ["games", "today"])) == Self.cursors[2])
    }

    @Test("A cursor remains valid after a key rotation until its own key is retired")
    func rotation() throws {
        let old = CursorCodec.testing(1).text(of: Self.cursors[2], in: .testing())
        #expect(try CursorCodec.testing(2, 1).cursor(of: old, in: .testing()) == Self.cursors[2])
        let new = CursorCodec.testing(2, 1).text(of: Self.cursors[2], in: .testing())
        #expect(try CursorCodec.testing(2).cursor(of: new, in: .testing()) == Self.cursors[2])
        #expect(failure(old, .testing(2)) == .ofUnknownKey)
    }

    @Test("A cursor of another schema is rejected as such")
    func schema() {
        #expect(failure(CursorCodec.testing(1, schema: 3).text(of: Self.cursors[2], in: .testing())) == .ofAnotherSchema)
    }

    @Test("Random bytes are never a valid cursor")
    func noise() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...70, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(failure(Base64URL.encode(bytes)) != nil)
        }
    }
}
