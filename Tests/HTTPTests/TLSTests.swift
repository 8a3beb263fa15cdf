import EventLoop
import HTTP
import HTTPMessages
import Host
import Security
import TestProxy
import TestSupport
import Testing

@Suite("TLS over a socket", .onOwnThread)
struct TLSTests {
    private let folder: TemporaryFolder
    private let certificate: Certificate

    init() throws {
        folder = try TemporaryFolder("tls")
        certificate = try Certificate("shop.example", in: folder)
    }

    /// Runs `curl` with a host name for which the certificate must be valid.
    private func curl(_ port: Int, _ path: String, _ arguments: String..., trusting trusted: Certificate? = nil) throws -> Curl.Result {
        let trusted = trusted ?? certificate
        let arguments = ["--cacert", trusted.file, "--resolve", "\(trusted.name):\(port):127.0.0.1"] + arguments
        return try Curl.run(arguments + ["https://\(trusted.name):\(port)\(path)"])
    }

    private func client(_ port: Int, _ arguments: String...) throws -> String {
        try ProcessLaunch("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"] + arguments).output(within: .seconds(30)).text
    }

    @Test("The client chooses the protocol, and without a choice it is HTTP/1.1")
    func protocols() async throws {
        try await withServer(encryption: try certificate.context()) { server, port in
            for (word, start) in [("--http2", "HTTP/2 200"), ("--http1.1", "HTTP/1.1 200"), ("--no-alpn", "HTTP/1.1 200")] {
                let result = try curl(port, "/a", "-i", word)
                #expect(result.text.hasPrefix(start) && result.text.hasSuffix("GET /a 0\n"), "\(result.text)")
            }
            let url = "https://\(certificate.name):\(port)/a"
            let many = try curl(port, "/a", "--http2", url, url, url)
            #expect(many.code.isSuccess && many.text == String(repeating: "GET /a 0\n", count: 4))
            #expect(await server.counters().accepted == 4)
            #expect(try client(port, "-alpn", "h2,http/1.1").contains("ALPN protocol: h2"))
            #expect(try client(port, "-alpn", "http/1.1,h2").contains("ALPN protocol: h2"))
            #expect(try client(port, "-alpn", "gopher").contains("no application protocol"))
        }
    }

    @Test("Pipelined requests in a few records are all answered, even after a slow one")
    func pipelined() async throws {
        try await withServer(encryption: try certificate.context()) { _, port in
            let get = { (path: String, field: String) in "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(field)\r\n" }
            let padding = String(repeating: "p", count: 400)
            let crowd = (0..<2_000).map { get($0.isMultiple(of: 200) ? "/later/\($0)" : "/\($0)/\(padding)", "") }
            let path = Path.join(folder.path, "requests")
            let file = try Descriptor(opening: path, .create)
            try file.write(Array((crowd.joined() + get("/end", "Connection: close\r\n")).utf8), subject: path)
            let command = "openssl s_client -quiet -connect 127.0.0.1:\(port) < \(path)"
            let text = try ProcessLaunch("sh", ["-c", command]).output(within: .seconds(60)).text
            #expect(text.matches(of: /HTTP\/1\.1 200 OK/).count == 2_001)
        }
    }

    @Test("Requests in many records that arrive together are all answered, with nothing after them", arguments: ["/a", "/later/a"])
    func decrypted(first: String) async throws {
        // All records fit into one read of libssl.
        let records = 24
        let get = { (path: String, field: String) in "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(field)\r\n" }
        var requests = get(first, "")
        while requests.utf8.count < 512 * (records - 1) { requests += get("/a", "") }
        let last = get("/end", "Connection: close\r\nX: \r\n")
        let padding = String(repeating: "x", count: 512 * records - requests.utf8.count - last.utf8.count)
        let count = 2 + requests.matches(of: /GET \//).count
        requests += last.replacing("X: ", with: "X: \(padding)")
        let (file, go, output) = ("\(folder.path)/requests", "\(folder.path)/go", "\(folder.path)/output")
        try Descriptor(opening: file, .create).write(Array(requests.utf8), subject: file)
        // The bytes above the limit of a head wait in the socket or in the decrypted buffer.
        try await withServer(encryption: try certificate.context(), limiting: { $0.head.headerBytes = 1_024 }) { server, port in
            try await Proxy.run(to: .port(UInt16(port))) { proxy in
                let script = """
                    { printf 'GET /first HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'; until [ -e \(go) ]; do sleep 0.02; done; cat \(file); } |
                    timeout 40 openssl s_client -quiet -tls1_3 -max_send_frag 512 -connect 127.0.0.1:\(proxy.port) >\(output) 2>&1
                    """
                let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
                var client = try ProcessLaunch("sh", ["-c", script]).start(input: nothing, output: nothing)
                while await server.counters().requests < 1 { try #require(client.ended() == nil) }
                // Each record has an overhead of 22 bytes.
                await proxy.behave(.gather(bytes: records * (512 + 22)))
                try Descriptor(opening: go, .create).write([1], subject: go)
                _ = try client.wait()
            }
            let text = String(decoding: try Files.read(output), as: UTF8.self)
            #expect(text.matches(of: /HTTP\/1\.1 200 OK/).count == count && text.contains("GET /end 0\n"), "\(text)")
        }
    }

    @Test("A refused connection gets no unencrypted bytes")
    func tooManyConnections() async throws {
        try await withServer(encryption: try certificate.context(), limiting: { $0.connections = 0 }) { server, port in
            let client = try RawClient(port: port)
            #expect(try client.receiveAll() == "")
            #expect(await server.counters().rejectedConnections == 1)
        }
    }

    @Test("Only key exchange groups that are cheap for the server are accepted")
    func groups() async throws {
        try await withServer(encryption: try certificate.context()) { _, port in
            for group in ["X25519", "P-256", "P-384"] {
                let text = try client(port, "-tls1_3", "-groups", group)
                #expect(text.contains("Cipher is TLS_"), "\(group)")
            }
            for group in ["ffdhe2048", "ffdhe8192", "X448", "P-521"] {
                let text = try client(port, "-tls1_3", "-groups", group)
                #expect(text.contains("handshake failure"), "\(group)")
            }
        }
    }

    @Test("The constant fields for encrypted connections are sent with every response", arguments: ["--http1.1", "--http2"])
    func everyResponse(version: String) async throws {
        try await withServer(.open, encryption: certificate.context()) { _, port in
            let response = try curl(port, "/a", "-i", version).text
            #expect(response.contains("x-shop: sealed\r\n") && !response.contains("open"))
        }
    }

    @Test("Bodies of any size are transferred in both directions")
    func bodies() async throws {
        let file = try folder.file("body", count: 100_000)
        try await withServer(encryption: try certificate.context()) { server, port in
            for word in ["--http2", "--http1.1"] {
                #expect(try curl(port, "/p", word, "--data-binary", "@\(file)").text == "POST /p 100000\n")
                _ = try curl(port, "/large", word, "-o", "\(folder.path)/large")
                #expect(try Files.read("\(folder.path)/large") == Service.large.array)
                #expect(try curl(port, "/stream", word).text == "part 0\npart 1\npart 2\n")
                #expect(try curl(port, "/broken", word).code != .code(0))
            }
            let arguments = ["-n", "1000", "-c", "4", "-m", "50", "https://127.0.0.1:\(port)/later/a"]
            let (text, status) = try ProcessLaunch("h2load", arguments).output(within: .seconds(60))
            #expect(status.isSuccess && text.contains("1000 succeeded, 0 failed"), "\(text)")
        }
    }

    @Test("TLS 1.2 and 1.3 with forward secrecy are accepted, and older or weaker versions are refused")
    func versions() async throws {
        try await withServer(encryption: try certificate.context()) { server, port in
            #expect(try client(port, "-tls1_3").contains("New, TLSv1.3"))
            #expect(try client(port, "-tls1_2").contains("New, TLSv1.2, Cipher is ECDHE-ECDSA-"))
            for version in ["-tls1_1", "-tls1"] {
                let text = try client(port, version, "-cipher", "DEFAULT@SECLEVEL=0")
                #expect(text.contains("alert protocol version"), "\(text)")
            }
            for cipher in ["AES128-SHA", "ECDHE-ECDSA-AES128-SHA", "aNULL:eNULL@SECLEVEL=0"] {
                #expect(try client(port, "-tls1_2", "-cipher", cipher).contains("alert handshake failure"))
            }
            #expect(try curl(port, "/a").text == "GET /a 0\n")
        }
    }

    @Test("A session is resumed", arguments: ["-tls1_2", "-tls1_3"])
    func resumption(version: String) async throws {
        let session = "\(folder.path)/session"
        try await withServer(encryption: try certificate.context()) { _, port in
            // The ticket of TLS 1.3 follows the handshake, with the response at the latest.
            let send = #"printf 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' | openssl s_client -ign_eof "$@""#
            let arguments = ["-c", send, "sh", "-connect", "127.0.0.1:\(port)", version]
            let first = try ProcessLaunch("sh", arguments + ["-sess_out", session]).output(within: .seconds(30)).text
            #expect(first.contains("New, TLS") && first.contains("GET /a 0\n"))
            let second = try ProcessLaunch("sh", arguments + ["-sess_in", session]).output(within: .seconds(30)).text
            #expect(second.contains("Reused, TLS") && second.contains("GET /a 0\n"), "\(second)")
        }
    }

    @Test("Unencrypted, invalid and unfinished handshakes are closed")
    func notEncrypted() async throws {
        try await withServer(encryption: try certificate.context(), limiting: { $0.headers = .seconds(3) }) { server, port in
            for text in ["GET / HTTP/1.1\r\nHost: shop\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}", ""] {
                let client = try RawClient(port: port)
                try client.send(text)
                // The connection may also be reset, because the client sent unwanted bytes.
                do throws(HostError) { #expect(!(try client.receiveAll().contains("HTTP"))) } catch {
                    #expect(error.code == .connectionReset)
                }
            }
            #expect(try curl(port, "/a").text == "GET /a 0\n")
            #expect(await server.counters().requests == 1)
        }
    }

    @Test("A new certificate applies to new connections, and existing ones continue")
    func replaced() async throws {
        let other = try Certificate("other.example", in: folder)
        let output = "\(folder.path)/output"
        let go = "\(folder.path)/go"
        try await withServer(encryption: try certificate.context()) { server, port in
            let script = """
                { printf 'GET /first HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'; until [ -e \(go) ]; do sleep 0.02; done
                printf 'GET /second HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n'; } |
                timeout 40 openssl s_client -quiet -connect 127.0.0.1:\(port) >\(output) 2>&1
                """
            let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
            var old = try ProcessLaunch("sh", ["-c", script]).start(input: nothing, output: nothing)
            while await server.counters().requests < 1 { try #require(old.ended() == nil) }
            await server.replaceEncryption(by: try other.context())
            #expect(try curl(port, "/a", trusting: other).text == "GET /a 0\n")
            #expect(try curl(port, "/a").code == .code(60))
            try Descriptor(opening: go, .create).write([1], subject: go)
            _ = try old.wait()
            let text = String(decoding: try Files.read(output), as: UTF8.self)
            #expect(text.contains("CN = shop.example") && text.contains("GET /first 0\n") && text.contains("GET /second 0\n"), "\(text)")
        }
    }

    @Test("An unusable certificate is refused with the name of the invalid file")
    func unusable() throws {
        let other = try Certificate("other.example", in: folder)
        for (file, key, fault) in [
            ("/nowhere", certificate.key, "/nowhere"), (certificate.file, "/nowhere", "/nowhere"), (certificate.file, other.key, other.key),
            (certificate.key, certificate.key, certificate.key), (certificate.file, certificate.file, certificate.file),
        ] {
            #expect(throws: TLSError.self) { try TLSContext(certificate: file, key: key, protocols: []) }
            do throws(TLSError) { _ = try TLSContext(certificate: file, key: key, protocols: []) } catch { #expect(error.file == fault) }
        }
    }
}
