import Foundation
import JSON
import Resolve
import TestSupport
import Testing

/// The port to JavaScript, which programs load as a module. `DocumentsTests` runs its own test.
@Suite("The port of resolve to JavaScript", .serialized)
struct PortTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/resolve")
        .standardizedFileURL

    /// Prints the page of each case of a file on a line. The parameters are the file and the port.
    private static let program = """
        const { readFileSync } = await import("node:fs");
        const { resolve } = await import(process.argv[2]);
        for (const { edition, facts } of JSON.parse(readFileSync(process.argv[1], "utf8"))) {
            const before = JSON.stringify([edition, facts]);
            console.log(JSON.stringify(resolve(edition, facts)));
            if (JSON.stringify([edition, facts]) !== before) throw new Error(`changes its parameters: ${before}`);
        }
        """

    private struct Case: JSONObjectDecodable {
        let edition: Edition
        let facts: ClientFacts

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            edition = try object.value("edition")
            facts = try object.value("facts")
        }
    }

    /// Returns the number of cases for which the port and `resolve` return the same page, and records the first other one.
    private func compare(_ text: String, _ comment: String = "") throws -> Int {
        let folder = try TemporaryFolder("port")
        let (input, output) = ("\(folder.path)/cases.json", "\(folder.path)/pages")
        try text.write(toFile: input, atomically: true, encoding: .utf8)
        #expect(FileManager.default.createFile(atPath: output, contents: nil))
        let node = Process()
        node.executableURL = URL(filePath: "/usr/bin/env")
        let port = Self.folder.appending(path: "port.mjs").absoluteString
        node.arguments = ["node", "--input-type=module", "--eval", Self.program, input, port]
        node.standardInput = FileHandle.nullDevice
        node.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        try node.run()
        node.waitUntilExit()
        try #require(node.terminationStatus == 0, "\(comment)")
        let pages = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        let cases = try JSONDocument(parsing: Array(text.utf8), limits: .ownOutput).root.elements.compactMap {
            $0.decodeLeniently(Case.self)
        }
        try #require(pages.count == cases.count, "\(comment)")
        for (index, (page, `case`)) in zip(pages, cases).enumerated() {
            let found = try JSONDocument(parsing: Array(page.utf8)).decodeLeniently(Edition.self).value
            let expected = resolve(`case`.edition, `case`.facts)
            guard found == expected else {
                Issue.record("case \(index) is \(page) instead of \(String(decoding: try expected.json(), as: UTF8.self)) \(comment)")
                return index
            }
        }
        return cases.count
    }

    @Test("It returns the page of each vector")
    func vectors() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "vectors.json"), encoding: .utf8)
        #expect(try compare(text) == 2_000)
    }

    @Test("It returns the same pages as resolve, for any part of the facts", arguments: Seeds.fixed(1))
    func random(seed: UInt64) throws {
        var source = try RandomPages(seed: seed)
        let cases = try (0..<1_000).map { number in
            let page = source.page().json(isCut: number.isMultiple(of: 2))
            let facts = source.client(onlyServed: false).facts(source.number(0...1 << NaiveClient.factCount - 1))
            return #"{"edition":\#(page),"facts":\#(String(decoding: try facts.json(), as: UTF8.self))}"#
        }
        #expect(try compare("[\(cases.joined(separator: ","))]", "(seed \(seed))") == cases.count)
    }

    @Test("It reads inherited names, invalid conditions and parts of a section as resolve does")
    func special() throws {
        func page(_ sections: String, _ experiments: String = "{}") -> String {
            #"{"sections": [\#(sections)], "experiments": \#(experiments), "holdout": {"salt": "h", "share": 1}}"#
        }
        func section(_ id: String, _ members: String) -> String {
            #"{"id": "\#(id)", \#(members), "items": [{"placement": "\#(id)/a", "item": "a"}]}"#
        }
        let names = ["constructor", "__proto__", "toString", "hasOwnProperty"]
        let experiments = names.map { name in
            #""\#(name)": {"salt": "\#(name)", "arms": {"__proto__": [[0, 50]], "constructor": [[50, 100]]}, "default": "constructor", "state": "running"}"#
        }
        let targets =
            names.flatMap { [#""experiment": {"\#($0)": ["__proto__"]}"#, #""experiment": {"\#($0)": ["constructor"], "gone": ["a"]}"#] }
            + [
                #""platforms": "ios""#, #""platforms": {"ios": true}"#, #""platforms": []"#, #""platforms": ["ios", 5]"#,
                #""platforms": null"#,
                #""tags": "beta""#, #""locales": "en""#, #""storefronts": 5"#, #""appVersion": ["=3"]"#, #""appVersion": ">=3 <3""#,
                #""appVersion": ">=3  <4""#, #""appVersion": "<4 >=3""#, #""appVersion": "=3.0.0.0.0""#, #""appVersion": "=3.""#,
                #""appVersion": "3""#, #""appVersion": "=3\n""#, #""os": "=3.0000000001""#, #""os": ">=3.0 <3.10""#,
                #""experiment": ["weekend"]"#,
                #""experiment": {"constructor": "__proto__"}"#, #""experiment": {"constructor": []}"#, "",
            ]
        let facts = [
            "{}",
            #"{"client": "a", "platform": "ios", "locale": ["en"], "storefront": "us", "tags": ["beta"], "appVersion": "3", "os": "3.9"}"#,
            #"{"client": "b", "platform": "i", "locale": ["e", "n"], "appVersion": "3.0.0", "os": "3.1"}"#,
            #"{"client": null, "platform": null, "locale": null, "storefront": null, "tags": null, "appVersion": null, "os": null}"#,
            #"{"client": "ü/日本", "tags": [], "locale": []}"#,
        ]
        let all = "{\(experiments.joined(separator: ", "))}"
        var pages = targets.map { page(section("s", #""target": {\#($0)}, "fill": {"size": 1}"#), all) }
        pages += ["5", #""beta""#, "[]"].map { page(section("s", #""target": \#($0)"#)) }
        // A section leaves out the items of all parts of a section above, and not those of one whose name only begins like it.
        for ids in [["s/A", "s/B"], ["s"], ["sa"], ["s/A", "s"]] {
            for target in [#""tracking": "s""#, #""target": {"tags": ["beta"]}"#, #""target": {"tags": ["beta"]}, "fill": {"size": 2}"#] {
                pages.append(
                    page(
                        ids.map { section($0, target) }.joined(separator: ",")
                            + #","# + section("t", #""fill": {"size": 1, "without": ["s", "gone"]}"#)))
            }
        }
        let cases = pages.flatMap { page in facts.map { #"{"edition":\#(page),"facts":\#($0)}"# } }
        #expect(try compare("[\(cases.joined(separator: ","))]") == cases.count)
    }
}
