import Values

/// The format of a value on a command line: its placeholder in help, its parser and its default text.
package struct ValueFormat<Value: Sendable>: Sendable {
    /// The placeholder of the value in help, in capitals: `N`, `FILE`, `DURATION`.
    package var placeholder: String
    /// Every accepted text; empty if they cannot be listed.
    package var choices: [String] = []
    /// The accepted texts that look like options. After an option with this format, they are its value.
    package var dashedValues: [String] = []
    package var completion = CompletionHint.none
    package var acceptsEmpty = false
    package let read: @Sendable (String) throws(InvalidValue) -> Value
    package let write: @Sendable (Value) -> String

    package init(
        _ placeholder: String,
        read: @escaping @Sendable (String) throws(InvalidValue) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.placeholder = placeholder
        self.read = read
        self.write = write
    }

    package func named(_ placeholder: String) -> ValueFormat {
        var copy = self
        copy.placeholder = placeholder
        return copy
    }

    /// Returns the same format with live candidates, or with files or directories that the shell offers.
    package func completed(by hint: CompletionHint) -> ValueFormat {
        var copy = self
        copy.completion = hint
        return copy
    }
}

extension ValueFormat where Value == String {
    /// Any text except the empty one.
    package static var text: ValueFormat { ValueFormat("TEXT", read: { $0 }, write: { $0 }) }

    /// Any text, including the empty one.
    package static var anyText: ValueFormat {
        var notation = text
        notation.acceptsEmpty = true
        return notation
    }

    /// A path that the shell completes. `-` means standard input if the command supports it.
    package static var file: ValueFormat { text.named("FILE").completed(by: .files) }

    package static var directory: ValueFormat { text.named("DIR").completed(by: .directories) }
}

extension ValueFormat where Value == Bool {
    /// A Boolean in the spellings of environment variables.
    package static var bool: ValueFormat {
        ValueFormat(
            "BOOL",
            read: { text throws(InvalidValue) in
                switch text {
                case "true", "yes", "on", "1": true
                case "false", "no", "off", "0": false
                default: throw InvalidValue(expected: "true or false")
                }
            },
            write: { $0 ? "true" : "false" })
    }
}

extension ValueFormat where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// Returns the format of a case, written as its raw value.
    package static func choice(of type: Value.Type) -> ValueFormat {
        let names = type.allCases.map(\.rawValue)
        var notation = ValueFormat(
            "CHOICE",
            read: { text throws(InvalidValue) in
                guard text.utf8.count <= ArgumentScanner.longestName, let value = Value(rawValue: text) else {
                    throw InvalidValue(
                        expected: names.count == 1 ? "'\(names[0])'" : "one of \(names.joined(separator: ", "))",
                        suggestion: text.nearest(among: names))
                }
                return value
            },
            write: { $0.rawValue })
        notation.choices = names
        return notation
    }
}

extension ValueFormat where Value == Int {
    package static var integer: ValueFormat { integer(in: Int.min...Int.max) }

    package static func integer(in bounds: PartialRangeFrom<Int>) -> ValueFormat { integer(in: bounds.lowerBound...Int.max) }

    package static func integer(in bounds: ClosedRange<Int>) -> ValueFormat {
        ValueFormat(
            "N",
            read: { text throws(InvalidValue) in
                guard let number = Int(text), bounds.contains(number) else { throw InvalidValue(expected: expectation(of: bounds)) }
                return number
            },
            write: { String($0) })
    }

    private static func expectation(of bounds: ClosedRange<Int>) -> String {
        switch (bounds.lowerBound, bounds.upperBound) {
        case (.min, .max): "a whole number"
        case (let lower, .max): "a whole number from \(lower)"
        case (.min, let upper): "a whole number up to \(upper)"
        case (let lower, let upper): "a whole number from \(lower) to \(upper)"
        }
    }
}

extension ValueFormat where Value == Duration {
    /// A duration as one whole number and a unit: `500ms`, `2s`, `1m`, `12h`, `7d`.
    package static var duration: ValueFormat { duration(in: .zero...(.milliseconds(Int64.max))) }

    package static func duration(in bounds: ClosedRange<Duration>) -> ValueFormat {
        ValueFormat(
            "DURATION",
            read: { text throws(InvalidValue) in
                guard let duration = parse(text) else { throw InvalidValue(expected: "a duration like 500ms, 2s, 1m, 12h or 7d") }
                guard bounds.contains(duration) else {
                    throw InvalidValue(expected: "a duration from \(spell(bounds.lowerBound)) to \(spell(bounds.upperBound))")
                }
                return duration
            },
            write: spell)
    }

    private static var units: [(name: String, milliseconds: Int64)] {
        [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)]
    }

    private static func parse(_ text: String) -> Duration? {
        let digits = text.utf8.prefix { $0.isDigit }
        let rest = text.utf8[digits.endIndex...]
        guard let count = Int64(Substring(digits)), let unit = units.first(where: { $0.name.utf8.elementsEqual(rest) }) else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return overflows ? nil : .milliseconds(milliseconds)
    }

    @Sendable private static func spell(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        let (milliseconds, carries) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        guard !overflows, !carries, milliseconds != 0 else { return duration == .zero ? "0s" : String(describing: duration) }
        let unit = units.first { milliseconds.isMultiple(of: $0.milliseconds) } ?? ("ms", 1)
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }
}

/// An error for a text that a format cannot parse, with the expected form.
package struct InvalidValue: Error, Sendable {
    /// The end of the message "expected …".
    package let expectation: String
    package let suggestion: String?

    package init(expected expectation: String, suggestion: String? = nil) {
        self.expectation = expectation
        self.suggestion = suggestion
    }
}
