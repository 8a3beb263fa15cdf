/// Header fields of a response that is sent many times, written once.
package final class PrebuiltHeaders: Sendable {
    package let fields: [ResponseField]
    /// As HTTP/1.1 has them, each with its CRLF.
    let lines: [UInt8]
    /// As HTTP/2 has them.
    let block: HeaderBlock

    package init(_ fields: [ResponseField]) {
        self.fields = fields
        var lines: [UInt8] = []
        for field in fields { field.append(to: &lines) }
        self.lines = lines
        block = HeaderBlock(fields)
    }
}
