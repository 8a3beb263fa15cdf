extension ValueFormat where Value == Bool {
    /// Yes or no in the spellings that environment variables use.
    package static var truth: ValueFormat {
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
