import TestSupport
import Testing

@Suite("The output of commands", .onOwnThread) struct CommandGoldensTests {
    typealias Leaf = CommandContract.Leaf

    /// The commands whose output depends on the machine or the date. Other suites test them.
    private static let unsteady: Set = [
        "db status", "db check", "db url", "db migrate", "doctor", "settings", "profile ls", "sync check", "sync keys", "publish",
        "rollback", "schedule ls", "status",
    ]

    private static var groups: [(name: String, leaves: [Leaf])] {
        var groups: [(name: String, leaves: [Leaf])] = []
        for leaf in CommandContract.leaves where CommandContract.words[leaf.description] != nil && !unsteady.contains(leaf.description) {
            if groups.last?.name == leaf.names[0] {
                groups[groups.count - 1].leaves.append(leaf)
            } else {
                groups.append((leaf.names[0], [leaf]))
            }
        }
        return groups
    }

    @Test("The output of each command matches its golden file: for people, for programs, and for a refused call")
    func goldens() throws {
        try CuratedSite.with(scope: "admin") { site in
            try CommandContractTests.makeFiles(in: site.dev.vitrine, site)
            try CommandContractTests.makeProfiles(in: site.dev.vitrine, site)
            // The index is updated after a whole catalog is loaded.
            try site.dev.vitrine.wait { try !site.output("item", "search", "harbor", "-o", "name").isEmpty }
            for group in Self.groups {
                var transcript = Transcript(site, maxLines: 30)
                for leaf in group.leaves {
                    for line in Self.lines(of: leaf) { try transcript.run(line) }
                }
                let golden = Golden("commands/\(group.name).txt", beside: #filePath.replacing("/Admin/", with: "/"))
                #expect(transcript.text == (try golden.text(recording: transcript.text)), "\(group.name)")
            }
        }
    }

    private static func lines(of leaf: Leaf) -> [String] {
        let text = CommandContract.words[leaf.description] ?? ""
        let line = "\(leaf)\(text.isEmpty ? "" : " \(text)")\(leaf.has("dry-run") ? " --dry-run" : "")"
        let isOnce = CommandContract.unlisted.contains(leaf.description)
        let data = leaf.formats.contains("json") && !isOnce ? ["\(line) -o json"] : []
        let wrong = text.contains("today") ? [line.replacing("today", with: "nowhere")] : leaf.formats.isEmpty ? [] : ["\(line) -o paper"]
        return [line] + data + wrong
    }
}
