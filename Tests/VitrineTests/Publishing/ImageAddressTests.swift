import HTTP
import Testing

@testable import CLI

@Suite("The address of an image")
struct ImageAddressTests {
    private let page: ServerURL

    init() throws { page = try ServerURL(parsing: "http://shop.example:8080") }

    @Test(
        "A URL has a server and an escaped target",
        arguments: [
            ("/v1/images/a/icon", "http://shop.example:8080", "/v1/images/a/icon"),
            ("https://cdn.example/a b/ü.png?w=1#x", "https://cdn.example", "/a%20b/%C3%BC.png?w=1"),
            ("HTTPS://cdn.example:8443?x=%20", "https://cdn.example:8443", "/?x=%20"), ("http://cdn.example", "http://cdn.example", "/"),
        ])
    func valid(url: String, server: String, target: String) throws {
        let address = try #require(ImageAddress(url, relativeTo: page))
        #expect(address.server.description == server && address.target == target)
    }

    @Test(
        "Other texts are no address",
        arguments: ["", "a.png", "//cdn.example/a", "ftp://a/b", "https://", "https://user@a/b", "file:///etc"])
    func invalid(url: String) { #expect(ImageAddress(url, relativeTo: page) == nil) }
}
