import Layout
import Testing

@Suite("Measures")
struct MeasureTests {
    @Test(
        "A magnitude and a scale reject negative, infinite and too large values",
        arguments: [-1, -0.001, 1.0000001e9, 1e308, .infinity, -.infinity, .nan])
    func refusedMagnitude(_ value: Double) {
        #expect(Magnitude(value) == nil)
        #expect(Scale(value) == nil)
    }

    @Test("Negative zero becomes zero, so that equal values have equal bytes")
    func minusZero() {
        let zero = -0.0
        #expect(Magnitude(zero)?.value.sign == .plus)
        #expect(Coordinate(zero)?.value.sign == .plus)
        #expect(Inset(zero)?.points.sign == .plus)
        #expect((-0.0 as Coordinate).value.sign == .plus)
    }

    @Test("An inset is zero or at least one point", arguments: [(0, true), (1, true), (2.5, true), (0.5, false), (-1, false)])
    func inset(_ points: Double, isAllowed: Bool) {
        #expect((Inset(points) != nil) == isAllowed)
    }

    @Test("A ratio is reduced to lowest terms, and differs from the equal decimal")
    func ratio() throws {
        #expect(try #require(Ratio(2, 6)) == .one(of: 3))
        #expect(try #require(Ratio(0, 7)).denominator == 1)
        #expect(Fraction.ratio(.one(of: 2)) != .decimal(0.5))
        #expect(Fraction.ratio(.one(of: 2)).value == Fraction.decimal(0.5).value)
        for (numerator, denominator) in [(1, 0), (-1, 2), (1, -2), (1, 1_000_001), (Int.min, Int.max)] {
            #expect(Ratio(numerator, denominator) == nil)
        }
    }

    @Test("Names are compared by bytes")
    func names() {
        #expect(Name("\u{E9}") != Name("e\u{301}"))
        #expect(Name("header") == "header")
    }

    @Test(
        "A supplementary frequency rejects a phase outside its period", arguments: [(0, 0), (-1, 0), (5, 5), (5, -1), (Int.min, Int.min)])
    func refusedOccurrence(every: Int, phase: Int) {
        #expect(SupplementaryFrequency(every: every, phase: phase) == nil)
    }
}
