import JSON
import Layout
import Testing

@testable import Feeds

@Suite("Findings of a review") struct ReviewFindingTests {
    @Test(
        "The sentences of a finding end with one period",
        arguments: [
            ("there is no item", "Remove the pin.", "there is no item. Remove the pin."),
            ("The group is empty.", "Add a subitem.", "The group is empty. Add a subitem."), ("there is no item", "", "there is no item."),
        ])
    func sentences(message: String, help: String, sentences: String) {
        let finding = ReviewFinding(
            severity: .error, code: .unknownItem, section: nil, pointer: .root, message: message, help: help)
        #expect(finding.sentences == sentences)
    }
}
