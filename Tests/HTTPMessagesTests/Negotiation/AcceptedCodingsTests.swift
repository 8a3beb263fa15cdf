import HTTPMessages
import Testing

@Suite("Accepted codings")
struct AcceptedCodingsTests {
    private func preferred(_ lines: [String], among available: Set<ContentCoding>) -> ContentCoding? {
        AcceptedCodings(HTTPFields("Accept-Encoding", lines)).preferred { available.contains($0) }
    }

    @Test(
        "The coding with the highest weight is preferred, then br, then gzip",
        arguments: [
            ([], .identity), ([""], .identity), (["gzip"], .gzip), (["br"], .br), (["gzip, br"], .br), (["br, gzip"], .br),
            (["gzip, deflate, br, zstd"], .br), (["gzip;q=1.0, br;q=0.9"], .gzip), (["gzip;q=0.5"], .gzip), (["identity"], .identity),
            (["identity, gzip"], .gzip), (["identity;q=1, gzip;q=0.5"], .identity), (["gzip;q=0"], .identity), (["br;q=0, gzip"], .gzip),
            (["*"], .br), (["*;q=0.5, gzip"], .gzip), (["*, br;q=0"], .gzip), (["*;q=0"], nil), (["*;q=0, gzip"], .gzip),
            (["*;q=0, identity"], .identity), (["identity;q=0"], nil), (["identity;q=0, gzip"], .gzip), (["identity;q=0, *"], .br),
            (["identity;q=0, br;q=0, gzip;q=0"], nil), (["gzip;q=0.001"], .gzip), (["gzip;q=0.000"], .identity),
            (["GZIP"], .gzip), (["x-gzip"], .gzip), (["Br;Q=0.4"], .br), (["gzip ; q=0.3 , br\t;\tq=0.2"], .gzip), ([",,gzip,"], .gzip),
            (["gzip", "br;q=0.5"], .gzip), (["gzip;q=0, gzip"], .identity), (["deflate"], .identity), (["zstd, compress"], .identity),
            // Malformed elements are ignored.
            (["gzip;q=2, br;q=0.1"], .br), (["gzip;q=1.001"], .identity), (["gzip;q=0.0001"], .identity), (["gzip;q="], .identity),
            (["gzip;q"], .identity), (["gzip;"], .identity), (["gzip;q=-1"], .identity), (["gzip;q=.5"], .identity),
            (["gzip;q=nan"], .identity),
            (["gzip;q=1e0"], .identity), (["gzip;q=0,5"], .identity), (["gzip;x=1"], .identity), (["gzip;q=1;x=1"], .identity),
            (["gzip;q = 1"], .identity), (["gzip br"], .identity), ([";q=1"], .identity), (["\"gzip\""], .identity), (["gzip;q=1."], .gzip),
            (["identity;q=x, gzip;q=0"], .identity), (["gzip;q=99999999999999999999"], .identity),
        ] as [([String], ContentCoding?)])
    func table(lines: [String], expected: ContentCoding?) {
        #expect(preferred(lines, among: [.br, .gzip, .identity]) == expected)
    }

    @Test(
        "An unavailable coding is not chosen",
        arguments: [
            ("br, gzip", [.gzip, .identity], .gzip), ("br, gzip", [.identity], .identity), ("br", [.gzip, .identity], .identity),
            ("*", [.identity], .identity), ("identity;q=0, br", [.gzip, .identity], nil), ("identity", [.br], nil), ("br", [], nil),
        ] as [(String, Set<ContentCoding>, ContentCoding?)])
    func available(line: String, available: Set<ContentCoding>, expected: ContentCoding?) {
        #expect(preferred([line], among: available) == expected)
    }
}
