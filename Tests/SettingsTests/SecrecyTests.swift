import JSON
import Postgres
import Settings
import Testing

@Suite("A password")
struct SecrecyTests {
    private static let urls = [
        "postgres://u:MARKER@h/d", "postgres://h/d?password=MARKER", "postgres://u:MARKER@h?x=1", "postgres://u:MARKER/@h",
        "postgres://u:MARKER@h:x",
        "postgres://u:MARKER%@h", "postgres://u:MARKER", "postgres:/u:MARKER@h", "u:MARKER@h", "postgres://u:MARKER@h\n\u{1B}",
        "postgres://u:\"MARKER@h",
        "postgres://h?host=/run&passwort=MARKER", "postgres://u:x@MARKER@h",
        "postgres://h?password=MARKER@x", "postgres://\u{301}h?password=MARKER",
    ]

    @Test("A password is never shown, in any source", arguments: urls)
    func hidden(url: String) throws {
        for given in try givens(url) {
            for text in try renderings(of: given) { #expect(!text.contains("MARKER"), "\(text)") }
        }
    }

    @Test("A password of the URL in use is available only to the driver")
    func exposed() throws {
        let settings = try Given(variables: ["VITRINE_DATABASE_URL": Self.urls[0]]).load()
        #expect(settings.databaseURL?.exposed == Self.urls[0])
    }

    private func givens(_ url: String) throws -> [Given] {
        let path = "config/vitrine.json"
        let quoted = String(decoding: try url.json(), as: UTF8.self)
        let files = [
            #"{"database": {"url": \#(quoted)}}"#, #"{"database": {"url": \#(url)}}"#, #"{"database": {"url": "\#(url)}}"#,
            #"{"database": \#(quoted)}"#,
            #"{"database": {"url": [\#(quoted)]}}"#, #"{"database": {"uri": \#(quoted)}}"#, #"{\#(quoted): 1}"#,
            #"{\#(quoted): 1, \#(quoted): 2}"#,
            #"{"listen": \#(quoted)}"#, #"{"eventLoops": \#(quoted)}"#, #"{"log": {"level": \#(quoted)}}"#, quoted, url,
        ]
        return files.map { Given(files: [path: $0]) }
            + Settings.declarations.filter { !$0.isPath || url.contains("://") }.flatMap { declaration in
                [Given(flags: [declaration.name.flag: url]), Given(variables: [declaration.name.variable: url])]
            }
            + [
                Given(variables: ["VITRINE_DATABASE_URL_FILE": url]),
                Given(variables: ["VITRINE_DATABASE_URL_FILE": "f"], files: ["f": url]),
                Given(variables: ["VITRINE_DATABASE_URL_FILE": "f", "VITRINE_DATABASE_URL": url], files: ["f": url]),
                Given(variables: ["VITRINE_DB": url]), Given(variables: ["VITRINE_\(url)": "1"]),
            ]
    }

    private func renderings(of given: Given) throws -> [String] {
        var dumped = ""
        dump(given.sources, to: &dumped)
        do {
            let (settings, effective) = try Settings.load(from: given.sources)
            dump(settings, to: &dumped)
            dump(effective, to: &dumped)
            return [
                dumped, "\(settings)", String(reflecting: settings), "\(effective)", effective.table(width: nil),
                effective.table(width: 60),
                String(decoding: try effective.json(), as: UTF8.self),
            ]
        } catch let error as SettingsError {
            dump(error, to: &dumped)
            return [dumped, error.text(commandPath: "vitrine serve"), "\(error)", String(reflecting: error), "\(error.issues)"]
        }
    }
}

extension SettingDeclaration {
    /// Whether the value is a path, which may be any text except a URL.
    fileprivate var isPath: Bool { placeholder == "FILE" || placeholder == "DIR" }
}
