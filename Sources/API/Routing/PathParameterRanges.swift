/// Where in a path the segments are that stand for something, in the order of the pattern.
package struct PathParameterRanges: Sendable {
    /// The most that a pattern may have; they have room here without memory of their own.
    static let limit = 6

    private var starts = InlineArray<6, UInt32>(repeating: 0)
    private var ends = InlineArray<6, UInt32>(repeating: 0)
    private var count = 0

    mutating func append(_ place: Range<Int>) {
        starts[count] = UInt32(place.lowerBound)
        ends[count] = UInt32(place.upperBound)
        count += 1
    }

    mutating func removeLast() { count -= 1 }

    subscript(number: Int) -> Range<Int> { Int(starts[number])..<Int(ends[number]) }
}
