extension Timestamp {
    /// Reads RFC 3339 and nothing else; nil for days and times that no calendar has, for years outside of 1 to 9999 and for trailing text.
    ///
    /// An offset is converted to UTC. One to nine digits of fraction are read, those behind the sixth are dropped. A leap second (`:60`) is
    /// refused, as the count of microseconds has no place for it.
    package init?(_ text: String) {
        guard text.utf8.count <= TimestampScanner.longestText else { return nil }
        var scanner = TimestampScanner(text)
        guard let local = scanner.scanDateAndTime(), let offset = scanner.scanOffset(), scanner.isAtEnd else { return nil }
        self.init(microseconds: Int64(local.microseconds - offset * 60_000_000))
    }
}
