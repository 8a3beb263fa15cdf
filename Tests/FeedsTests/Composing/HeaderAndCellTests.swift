import Feeds
import Items
import JSON
import Layout
import SQLFiles
import Security
import TestSupport
import Testing
import Values

@Suite("The headers and cells of a published section")
struct HeaderAndCellTests {
    /// Publishes each section with one item, and returns the published sections with the table of their layouts.
    private func published(_ document: FeedDocument) throws -> (sections: [PublishedSection], table: LayoutTable) {
        let item = try #require(UUID("0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10"))
        var composed = ComposedItems()
        composed.orders = [nil: [item]]
        composed.placements = [item: .init(serialNumber: 1)]
        let all = Dictionary(uniqueKeysWithValues: document.sections.map { (SectionPart.shelf($0.key), composed) })
        var (sections, table) = ([String: PublishedSection](), LayoutTable())
        for entry in FeedComposer(document, revision: 1, hashedBy: Digest.sha256).entries(all) {
            switch entry.key.kind {
            case .section: sections[entry.key.id] = try JSONDocument(parsing: entry.document).decode(PublishedSection.self)
            case .layout:
                let id = try #require(LayoutID(entry.key.id))
                table.merge(LayoutTable([id: try JSONDocument(parsing: entry.document).decode(PublishedLayout.self)]))
            default: break
            }
        }
        return (try document.sections.map { try #require(sections["\(document.key)/\($0.key)"]) }, table)
    }

    /// Returns a layout and its fallbacks, which a client without some capabilities draws.
    private func chain(_ id: LayoutID, _ table: LayoutTable) throws -> [LayoutSection] {
        var sections: [LayoutSection] = []
        var next: LayoutID? = id
        while let id = next {
            guard case .known(let descriptor)? = table[id] else { throw CancellationError() }
            sections.append(descriptor.section)
            next = descriptor.fallback
        }
        return sections
    }

    private func headerCount(_ layout: LayoutSection) throws -> Int {
        let solved = try SolvedPage(solving: [SectionContent(layout: layout, itemCount: 1)], in: LayoutEnvironment(width: 390, height: 844))
        return solved.sections[0].boundaryItems.count { $0.elementKind == "header" }
    }

    private func check(_ document: FeedDocument, _ source: String) throws {
        let (sections, table) = try published(document)
        for (section, published) in zip(document.sections, sections) {
            let isWarned = section.layout.expanded(at: 0).hasHeader
            for layout in try published.arrangement.layouts.flatMap({ try chain($0, table) }) {
                let count = try headerCount(layout)
                switch section.header {
                case .none: #expect(count == 0, "\(source): \(section.key)")
                case .custom: #expect(count == 1, "\(source): \(section.key)")
                case .automatic where section.hasHeading: #expect(count == 1, "\(source): \(section.key)")
                case .automatic: #expect(count == 0 || isWarned, "\(source): \(section.key)")
                }
            }
            let choices: [(LayoutID, CellStyles?)] =
                [(published.arrangement.layout, nil)] + published.arrangement.variants.map { ($0.layout, $0.cells) }
                + published.arrangement.alternates.map { ($0.layout, $0.cells) }
            for (id, own) in choices {
                let cells = CellStyles.merged(own, over: section.cells)
                guard cells.cell != nil else { continue }
                for slot in try chain(id, table).flatMap(\.slots) { #expect(cells[slot] != nil, "\(source): \(section.key)") }
            }
        }
    }

    @Test("A section of a sample feed has one header in each layout exactly if it has something to show in it")
    func samples() throws {
        for (name, bytes) in SQLFiles.sampleFeeds { try check(try FeedDocument(parsing: bytes), name) }
    }

    @Test("2,000 random sections have one header in each layout exactly if they have something to show in it")
    func random() throws {
        var (seed, count) = (0 as UInt64, 0)
        while count < 2_000 {
            var random = RandomFeeds(seed: seed)
            let document = try FeedDocument(parsing: random.document().json())
            try check(document, "seed \(seed)")
            count += document.sections.count
            seed += 1
        }
    }
}

extension LayoutSection {
    /// The slots of the cells, with nil instead of the name of a cell without one.
    fileprivate var slots: [Name?] {
        guard case .group(let item) = content else { return [nil] }
        return item.slots
    }
}

extension LayoutItem {
    fileprivate var slots: [Name?] {
        switch content {
        case .cell(let slot): [slot]
        case .group(let group): group.subitems.flatMap(\.slots)
        case .custom: [nil]
        }
    }
}
