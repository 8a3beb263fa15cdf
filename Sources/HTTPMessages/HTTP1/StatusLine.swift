/// The first line of a response: `HTTP/1.1 200 OK`.
struct StatusLine: Sendable {
    let status: Status
    /// Whether it is HTTP/1.1, whose connections stay.
    let isCurrent: Bool

    init(parsing bytes: Span<UInt8>) throws(RequestError) {
        guard bytes.count >= 12, bytes.extracting(first: 7).isExactly("HTTP/1."), bytes[7] == 0x30 || bytes[7] == 0x31, bytes[8] == 0x20,
            bytes.count == 12 || bytes[12] == 0x20
        else { throw RequestError(.badRequest, "a malformed status line") }
        var number = 0
        for index in 9..<12 {
            guard bytes[index].isDigit else { throw RequestError(.badRequest, "a malformed status") }
            number = number * 10 + Int(bytes[index] - 0x30)
        }
        guard (100...599).contains(number) else { throw RequestError(.badRequest, "a status that there is not") }
        status = Status(rawValue: number)
        isCurrent = bytes[7] == 0x31
    }
}
