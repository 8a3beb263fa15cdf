import HTTPMessages

extension HTTPFields {
    /// Creates fields with one line for each value.
    init(_ name: String, _ values: [String]) {
        self.init()
        for value in values { append(name: Array(name.utf8).span, value: Array(value.utf8).span) }
    }
}
