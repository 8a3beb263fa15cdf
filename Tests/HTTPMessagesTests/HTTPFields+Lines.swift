import HTTPMessages

extension HTTPFields {
    /// A line for each value.
    init(_ name: String, _ values: [String]) {
        self.init()
        for value in values { append(name: Array(name.utf8).span, value: Array(value.utf8).span) }
    }
}
