// fuzzes: HTTPMessages
import HTTPMessages

/// Fuzzes a chunked body. The first byte chooses the size of the pieces, which must not matter.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = source.first else { return 0 }
    let bytes = Array(source.dropFirst())
    let whole = read(bytes, pieceSize: max(bytes.count, 1))
    precondition(whole == read(bytes, pieceSize: Int(choice % 16) + 1), "the pieces matter")
    precondition(whole.data.count <= bytes.count)
    return 0
}

private struct Reading: Equatable {
    var data: [UInt8] = []
    var end: Int?
    var refusal: RequestError?
}

private func read(_ bytes: [UInt8], pieceSize: Int) -> Reading {
    var reader = ChunkedReader(overheadBytes: 64)
    var reading = Reading()
    do throws(RequestError) {
        for start in stride(from: 0, to: bytes.count, by: pieceSize) {
            let piece = bytes.span.extracting(start..<min(start + pieceSize, bytes.count))
            var place = 0
            taking: while true {
                switch try reader.next(in: piece, at: &place) {
                case .incomplete:
                    precondition(place == piece.count)
                    break taking
                case .end:
                    reading.end = start + place
                    return reading
                case .data(let range):
                    precondition(!range.isEmpty && range.upperBound == place && place <= piece.count)
                    for index in range { reading.data.append(piece[index]) }
                }
            }
        }
    } catch {
        reading.refusal = error
    }
    return reading
}
