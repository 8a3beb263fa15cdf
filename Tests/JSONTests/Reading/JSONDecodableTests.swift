import JSON
import Testing
import Values

@Suite("JSONDecodable")
struct JSONDecodableTests {
    /// Returns the issues of a text, each as its pointer, code and position.
    private func issues<Value: JSONDecodable>(in text: String, reading type: Value.Type) -> [String] {
        do throws(JSONError) {
            _ = try Value(parsing: Array(text.utf8))
            return []
        } catch {
            return error.issues.map { "\($0.pointer) \($0.code.rawValue) \($0.position.line):\($0.position.column)" }
        }
    }

    private func message<Value: JSONDecodable>(for text: String, reading type: Value.Type) -> String {
        do throws(JSONError) {
            _ = try Value(parsing: Array(text.utf8))
            return ""
        } catch {
            return error.issues.map { $0.message + ($0.hint.map { "; \($0)" } ?? "") }.joined(separator: "\n")
        }
    }

    @Test("A valid document is decoded, with defaults for absent keys")
    func reads() throws {
        let text = """
            {"kind": "grid", "title": "Ti\\u0074le", "width": {"fractionalWidth": 0.5}, "items": [{"id": "a", "rank": 2}, {"id": "b"}],
             "labels": {"é": "x"}}
            """
        var shelf = Shelf(title: "Title")
        shelf.kind = .grid
        shelf.width = .fractionalWidth(0.5)
        shelf.items = [.init(id: "a", rank: 2), .init(id: "b")]
        shelf.labels = ["é": "x"]
        #expect(try Shelf(parsing: Array(text.utf8)) == shelf)
    }

    @Test("All issues of a document are reported in one pass, in document order")
    func collects() {
        let text = """
            {"titel": "x",
             "kind": "gird",
             "width": {"absolute": "1"},
             "columns": 33,
             "items": [{"id": "a"}, {"id": 1, "rnak": 2}, 3, {"id": "123456789", "rank": 1.5}],
             "labels": {"a": 1, "b": "x"}}
            """
        #expect(
            issues(in: text, reading: Shelf.self) == [
                " MISSING_KEY 1:1", "/titel UNKNOWN_KEY 1:2", "/kind INVALID_CHOICE 2:10", "/width/absolute INVALID_TYPE 3:24",
                "/columns OUT_OF_RANGE 4:13",
                "/items/1/id INVALID_TYPE 5:32", "/items/1/rnak UNKNOWN_KEY 5:35", "/items/2 INVALID_TYPE 5:47",
                "/items/3/id INVALID_COUNT 5:57",
                "/items/3/rank INVALID_TYPE 5:78", "/labels/a INVALID_TYPE 6:18",
            ])
    }

    @Test(
        "A message states the actual value, the expected values and a suggestion",
        arguments: [
            ("[]", "expected an object, found an array"),
            (#"{"title":1,"kind":"list","width":{"absolute":1}}"#, "expected a string, found 1"),
            (
                #"{"title":"a","kind":"lost","width":{"absolute":1}}"#,
                #"expected one of "list", "grid", "carousel", found "lost"; did you mean "list"?"#
            ),
            (#"{"title":"a","kind":"x","width":{"absolute":1}}"#, #"expected one of "list", "grid", "carousel", found "x""#),
            (#"{"title":"a","kind":"list","width":{"absolut":1}}"#, #"expected one of the keys "fractionalWidth", "absolute""#),
            (
                #"{"title":"a","kind":"list","width":{"absolute":1,"fractionalWidth":1}}"#,
                #"only one of the keys "fractionalWidth", "absolute" is allowed"#
            ),
            (
                #"{"title":"a","kind":"list","width":{"absolute":1},"colunms":2}"#,
                #"unknown key "colunms"; did you mean "columns"?"#
            ),
            (
                #"{"title":"a","kind":"list","width":{"absolute":1},"zzz":2}"#,
                #"unknown key "zzz"; known keys: title, kind, width"#
            ),
            (#"{"title":"a","kind":"list","width":{"absolute":1},"columns":3.0}"#, "expected an integer, found 3.0; write 3"),
            (#"{"title":"a","kind":"list","width":{"absolute":1},"columns":0}"#, "expected 1 to 32, found 0"),
            (
                #"{"title":"a","kind":"list","width":{"absolute":1},"columns":99999999999999999999}"#,
                "expected an integer from -9223372036854775808 to"
            ),
            (#"{"title":"a","kind":"list","width":{"absolute":1},"minimum":2,"maximum":1}"#, "the minimum is above the maximum"),
            (#"{"title":"\#(String(repeating: "ab\u{7}", count: 99))"}"#, ""),
        ])
    func messages(text: String, message: String) {
        let text = text.replacing("\u{7}", with: "\\u0007")
        #expect(self.message(for: text, reading: Shelf.self).contains(message))
    }

    @Test("A message quotes untrusted text with escapes, and truncates it")
    func quotes() {
        let long = String(repeating: "a\\nb", count: 50)
        #expect(message(for: "\"\(long)\"", reading: Int.self).hasSuffix("…\""))
        #expect(message(for: "\"\(long)\"", reading: Int.self).utf8.count < 150)
        #expect(!message(for: "\"\(long)\"", reading: Int.self).contains("\n"))
    }

    @Test("A variant is decoded even if its object has an unknown key as well")
    func variants() {
        #expect(
            issues(in: #"{"absolut": 1, "absolute": "1"}"#, reading: Dimension.self) == [
                "/absolut UNKNOWN_KEY 1:2", "/absolute INVALID_TYPE 1:28",
            ])
        #expect(issues(in: #"[{"absolut": 1, "absolute": 1}]"#, reading: [Dimension].self) == ["/0/absolut UNKNOWN_KEY 1:3"])
    }

    @Test("An error lists 100 issues and counts the others")
    func bounded() throws {
        let text = "[" + Array(repeating: "true", count: 250).joined(separator: ",") + "]"
        let error = try #require(throws: JSONError.self) { try [Int](parsing: Array(text.utf8)) }
        #expect(error.issues.count == 100)
        #expect(error.omitted == 150)
        #expect(error.description.hasSuffix("… and 150 more"))
        #expect(error.issues.last?.pointer.description == "/99")
    }

    @Test("Each repetition in a list is reported, however long the list is", arguments: [2, 15, 16, 17, 40])
    func repetitions(count: Int) throws {
        let numbers = (0..<count).map(String.init)
        #expect(issues(in: "[\(numbers.joined(separator: ","))]", reading: DistinctNumbers.self) == [])
        let texts = numbers + [numbers[0], "\(count)", numbers[count - 1]]
        let repeated = issues(in: "[\n\(texts.joined(separator: ",\n"))]", reading: DistinctNumbers.self)
        #expect(repeated == ["/\(count) DUPLICATE \(count + 2):1", "/\(count + 2) DUPLICATE \(count + 4):1"])
    }

    @Test("A syntax error is reported as an issue")
    func syntax() {
        #expect(issues(in: #"{"title":}"#, reading: Shelf.self) == ["/title UNEXPECTED_CHARACTER 1:10"])
    }

    @Test("A dictionary with two keys that are equal only by Unicode normalization is rejected")
    func normalizedKeys() {
        #expect(issues(in: "{\"\u{E9}\":1,\"e\u{301}\":2}", reading: [String: Int].self) == ["/e\u{301} DUPLICATE_KEY 1:13"])
    }

    @Test("Each integer type rejects numbers that it cannot hold")
    func integers() throws {
        #expect(try [Int8Bounds](parsing: Array("[0,255]".utf8)).map(\.value) == [0, 255])
        for text in ["-1", "256", "1e2", "1.0", "-0.0", "99999999999999999999999"] {
            #expect(issues(in: text, reading: UInt8.self).count == 1)
        }
        #expect(try Int(parsing: Array("-9223372036854775808".utf8)) == .min)
        #expect(try UInt64(parsing: Array("18446744073709551615".utf8)) == .max)
        #expect(try Int(parsing: Array("-0".utf8)) == 0)
        #expect(issues(in: "9223372036854775808", reading: Int.self) == [" OUT_OF_RANGE 1:1"])
    }

    @Test("Null is decoded as nil in an optional element, and rejected for any other type")
    func nulls() throws {
        #expect(try [Int?](parsing: Array("[1,null]".utf8)) == [1, nil])
        #expect(issues(in: "[1,null]", reading: [Int].self) == ["/1 INVALID_TYPE 1:4"])
        #expect(issues(in: #"{"id":"a","rank":null}"#, reading: Shelf.Item.self) == ["/rank INVALID_TYPE 1:18"])
    }

    @Test("Unknown keys are found in an object of more than 64 members")
    func manyMembers() {
        let members = (0..<70).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(issues(in: "{\"id\":\"a\",\(members)}", reading: Shelf.Item.self).count == 70)
    }

    @Test("An object may have more than 64 known members")
    func manyKnownMembers() throws {
        struct Wide: JSONDecodable {
            let numbers: [Int]
            init(from json: JSONReader) throws(JSONReadError) {
                var object = try json.object()
                numbers = (0..<70).compactMap { object.optional("k\($0)") }
                try object.finish()
            }
        }
        let members = (0..<70).map { "\"k\($0)\":\($0)" }
        let text = "{" + members.reversed().joined(separator: ",") + "}"
        #expect(try Wide(parsing: Array(text.utf8)).numbers == Array(0..<70))
        #expect(issues(in: "[{\(members[69]),\"k70\":0}]", reading: [Wide].self) == ["/0/k70 UNKNOWN_KEY 1:12"])
    }

    @Test("Decoding without a collector ends at the first issue, and reports no unknown key that it has not reached")
    func firstIssue() throws {
        struct Pair: JSONObjectDecodable {
            let a: Int
            let b: Int
            init(_ object: inout JSONObjectReader) throws(JSONReadError) {
                a = try object.value("a")
                b = try object.value("b", .in(1...9))
            }
        }
        let pair = try Pair(parsing: Array(#"{"a":1,"b":2}"#.utf8))
        #expect(pair.a == 1 && pair.b == 2)
        #expect(issues(in: #"{"a":true,"b":0,"c":1}"#, reading: Pair.self) == ["/a INVALID_TYPE 1:6"])
        #expect(issues(in: #"[{"a":1},{"b":1}]"#, reading: [Pair].self) == ["/0 MISSING_KEY 1:2", "/1 MISSING_KEY 1:10"])
        #expect(issues(in: #"{"a":1,"b":2,"c":3}"#, reading: Pair.self) == ["/c UNKNOWN_KEY 1:14"])
    }

    /// A type that decodes itself through another type.
    private struct Int8Bounds: JSONDecodable {
        let value: UInt8

        init(from json: JSONReader) throws(JSONReadError) { value = try json.decode() }
    }

    @Test("A day is valid from 1970 to 2199", arguments: ["1969-12-31", "1970-01-01", "2199-12-31", "2200-01-01"])
    func days(text: String) {
        let isRight = text > "1970" && text < "2200"
        #expect(issues(in: "\"\(text)\"", reading: CalendarDay.self) == (isRight ? [] : [" INVALID_FORMAT 1:1"]))
    }

    @Test("A timestamp is decoded from an RFC 3339 text")
    func timestamps() throws {
        #expect(try [Timestamp](parsing: Array(#"["1970-01-01T01:00:00+01:00"]"#.utf8)) == [.epoch])
        #expect(issues(in: #""yesterday""#, reading: Timestamp.self) == [" INVALID_FORMAT 1:1"])
    }
}

private struct DistinctNumbers: JSONDecodable {
    let list: [Int]

    init(from json: JSONReader) throws(JSONReadError) {
        list = try json.distinct(1...100) { element throws(JSONReadError) in try element.decode() }
    }
}
