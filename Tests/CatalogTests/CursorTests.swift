import Security
import TestSupport
import Testing

@testable import Catalog

@Suite("The cursor of a list")
struct CursorTests {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func signer(_ byte: UInt8 = 7) throws -> CursorSigner {
        let key = try #require(HMACKey([UInt8](repeating: byte, count: 32)))
        return CursorSigner(code: { key.code(of: $0) }, areEqual: { HMACKey.areEqual($0, $1) })
    }

    @Test(
        "A cursor decodes to its position", arguments: [[], ["1"], ["4.70", "1204", "1017"], ["Ñandú \"\\\u{1F600}", ""]] as [[String]])
    func place(position: [String]) throws {
        let cursor = try Self.signer().cursor(at: position, in: "list")
        #expect(try Self.signer().position(of: cursor, in: "list") == position)
        #expect(cursor.utf8.allSatisfy { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") })
    }

    @Test("A cursor is valid only for its list and its key")
    func bound() throws {
        let cursor = try Self.signer().cursor(at: ["1"], in: "list")
        #expect(throws: CursorSigner.Failure.ofAnotherList) { try Self.signer().position(of: cursor, in: "other") }
        #expect(throws: CursorSigner.Failure.ofRetiredKey) { try Self.signer(8).position(of: cursor, in: "list") }
    }

    @Test("A whole cursor of another key is rejected as such, and a cursor with any changed character as damaged")
    func retired() throws {
        let cursor = try Self.signer().cursor(at: ["4.70", "1204", "1017"], in: "list")
        let (own, other) = (try Self.signer(), try Self.signer(8))
        #expect(throws: CursorSigner.Failure.ofRetiredKey) { try other.position(of: cursor, in: "list") }
        for (index, digit) in cursor.utf8.enumerated() {
            for changed in Self.digits where changed != digit {
                var bytes = Array(cursor.utf8)
                bytes[index] = changed
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(throws: CursorSigner.Failure.damaged, "\(text)") { try own.position(of: text, in: "list") }
                #expect(throws: CursorSigner.Failure.damaged, "\(text)") { try other.position(of: text, in: "list") }
            }
        }
    }

    @Test("A cursor with a changed character, bit or length is rejected", arguments: Seeds.fixed(1))
    func damaged(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let signer = try Self.signer()
        let cursor = signer.cursor(at: ["4.70", "1204", "1017"], in: "list")
        var damaged = [
            "", "A", cursor + "A", cursor + "=", String(cursor.dropLast()), String(repeating: "A", count: 100_000), "é", cursor + "\n",
        ]
        for index in cursor.utf8.indices.indices {
            var bytes = Array(cursor.utf8)
            let offset = cursor.utf8.distance(from: cursor.utf8.startIndex, to: index)
            let other = Self.digits.filter { $0 != bytes[offset] }.randomElement(using: &random)
            bytes[offset] = try #require(other)
            damaged.append(String(decoding: bytes, as: UTF8.self))
        }
        for text in damaged {
            #expect(throws: CursorSigner.Failure.damaged, "seed \(seed): \(text.prefix(80))") { try signer.position(of: text, in: "list") }
        }
    }
}
