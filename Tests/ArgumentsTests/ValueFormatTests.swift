import Arguments
import Testing

@Suite("A value format")
struct ValueFormatTests {
    @Test(
        "A duration is parsed from a whole number and a unit",
        arguments: [
            ("0s", .zero), ("500ms", .milliseconds(500)), ("2s", .seconds(2)), ("1m", .seconds(60)), ("12h", .seconds(43_200)),
            ("7d", .seconds(604_800)), ("007s", .seconds(7)), ("", nil), ("5", nil), ("s", nil), ("-1s", nil), ("+1s", nil), ("1.5s", nil),
            ("1 s", nil), ("1S", nil), ("1h30m", nil), ("9223372036854775807d", nil), ("9223372036854775808ms", nil), ("٣s", nil),
        ] as [(String, Duration?)])
    func duration(text: String, duration: Duration?) {
        #expect(read(text, .duration) == duration)
    }

    @Test(
        "A duration is printed in the largest unit that keeps it whole",
        arguments: [
            (.zero, "0s"), (.milliseconds(1_500), "1500ms"), (.seconds(90), "90s"), (.seconds(120), "2m"), (.seconds(86_400), "1d"),
        ] as [(Duration, String)])
    func durationText(duration: Duration, text: String) {
        #expect(ValueFormat.duration.write(duration) == text)
    }

    @Test(
        "A whole number is parsed within its bounds",
        arguments: [
            ("1", 1), ("500", 500), ("0", nil), ("501", nil), ("-1", nil), ("x", nil), ("1.0", nil), (" 1", nil), ("1\u{301}", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int?)])
    func integer(text: String, number: Int?) {
        #expect(read(text, .integer(in: 1...500)) == number)
    }

    @Test(
        "An invalid value is reported with the expected one",
        arguments: [
            (ValueFormat.integer, "a whole number"), (.integer(in: 1...), "a whole number from 1"),
            (.integer(in: 1...9), "a whole number from 1 to 9"), (.integer(in: .min...9), "a whole number up to 9"),
        ])
    func expectation(notation: ValueFormat<Int>, expectation: String) {
        do throws(InvalidValue) {
            _ = try notation.read("x")
            Issue.record("was read")
        } catch {
            #expect(error.expectation == expectation)
        }
    }

    @Test("A choice is parsed only in its exact spelling", arguments: [("json", Site.Format.json), ("JSON", nil), ("jso", nil), ("", nil)])
    func choice(text: String, format: Site.Format?) {
        #expect(read(text, .choice(of: Site.Format.self)) == format)
    }

    @Test("A format of another module parses and completes like a built-in one")
    func custom() throws {
        struct Color: Equatable { let name: String }
        let notation = ValueFormat(
            "COLOR",
            read: { text throws(InvalidValue) in
                guard text == "red" else { throw InvalidValue(expected: "the color red", suggestion: "red") }
                return Color(name: text)
            },
            write: { $0.name })
        let color = Option("color", notation, default: Color(name: "red"), "The color.")
        let command = Command("paint", "Paints.", options: [color]) { _ in .ok }
        guard case .usage(let error) = command.outcome(of: ["--color", "rad"]) else {
            Issue.record("no error")
            return
        }
        #expect(
            error.text
                == "error: invalid value 'rad' for '--color': expected the color red\nhint: did you mean 'red'?\nhint: run 'paint --help'\n"
        )
    }

    private func read<Value>(_ text: String, _ notation: ValueFormat<Value>) -> Value? {
        do { return try notation.read(text) } catch { return nil }
    }
}
