import Testing

@testable import Artwork

@Suite("Blurhash")
struct BlurhashTests {
    /// Returns pixels that the reference can compute too, without a file: they cover the whole range and have no symmetry.
    private static func raster(_ width: Int, _ height: Int) -> Raster {
        let wrapped = { (value: Int) in Double(value % 256) }
        let pixels = (0..<height).flatMap { y in
            (0..<width).map { x in
                Color(red: wrapped(x * 37 + y * 11), green: wrapped(x * y * 7 + 40), blue: wrapped(511 + x * 5 - y * 9))
            }
        }
        return Raster(width: width, height: height, pixels: pixels)
    }

    /// The expected hashes are results of `blurhash.encode` of the Python package blurhash 1.1.5.
    @Test(
        "A hash equals the result of the reference implementation for the same pixels",
        arguments: [
            (32, 32, 4, 3, "LNHLe-r{V|s=r}aVnmaLRdWJS,WG"),
            (
                7, 13, 9, 9,
                "|YHK-:RJ5FwTRD%PN3tUN3vr5]s=-VKPnVS7w_S7VBT1%MNbRq#nOZoaOZrVk;alRCxuXRNe#XNeVqXOaSo{bcVfkne@knthn5XAohRot7r@K6r@V@W,S$ryofS}nmnVnmsrsRf*S7n,nmWGkqWGWBS^nPoOXRjHX9nTX9"
            ), (5, 4, 1, 1, "00CX@t"), (16, 9, 6, 2, "EqGk^ZnaIunV5sWar-V#W]SOOY$j"),
        ])
    func reference(width: Int, height: Int, across: Int, down: Int, expected: String) {
        #expect(Blurhash(Self.raster(width, height), across: across, down: down).text == expected)
    }

    @Test("The hashes of plain black and plain white have no other component")
    func flat() {
        let black = Raster(width: 8, height: 8, pixels: Array(repeating: 0x000000, count: 64))
        #expect(Blurhash(black, across: 4, down: 3).text == "L00000fQfQfQfQfQfQfQfQfQfQfQ")
        let white = Raster(width: 8, height: 8, pixels: Array(repeating: 0xFFFFFF, count: 64))
        #expect(Blurhash(white, across: 1, down: 1).text == "00TSUA")
    }
}
