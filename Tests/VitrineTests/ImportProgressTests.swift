import Testing

@testable import CLI

@Suite("The progress line of an import")
struct ImportProgressTests {
    @Test("A waiting import shows how many imported changes are unpublished, within the width of the terminal")
    func waiting() {
        #expect(ImportProgress.line(waiting: 21_000, width: 80) == "waiting for the publication of 21000 imported changes")
        #expect(ImportProgress.line(waiting: 21_000, width: 20) == "waiting for the pub")
        #expect(ImportProgress.line(waiting: 21_000, width: 0) == "")
    }
}
