import Feeds
import Items
import JSON
import SQLFiles
import Security
import TestSupport
import Testing
import Values

@testable import Layout

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

    private func headers(_ layout: LayoutSection) throws -> [SolvedBoundaryItem] {
        let solved = try SolvedPage(solving: [SectionContent(layout: layout, itemCount: 1)], in: LayoutEnvironment(width: 390, height: 844))
        return solved.sections[0].boundaryItems.filter { $0.elementKind == "header" }
    }

    private func headerCount(_ layout: LayoutSection) throws -> Int { try headers(layout).count }

    /// Checks the headers and the cells of each section, and that the review reports each exception and nothing else. Returns the
    /// reported codes.
    private func check(_ document: FeedDocument, _ source: String) throws -> [ReviewFinding.Code] {
        let (sections, table) = try published(document)
        // The review of headers and cells does not depend on a screen.
        let findings = PublicationReviewer(
            of: document, in: ReviewContext(), during: [:], on: ScreenMatrix(screens: []), hashedBy: Digest.sha256
        ).findings
        var codes: [ReviewFinding.Code] = []
        for (section, published) in zip(document.sections, sections) {
            let found = findings.filter { $0.section == section.key }.map(\.code).filter(Self.codes.contains)
            codes += found
            let details = "\(source): \(section.key)"
            try checkHeaders(section, published, table, found, details)
            try checkCells(section, published, table, found, details)
        }
        return codes
    }

    private static let codes: Set<ReviewFinding.Code> = [.emptyHeader, .hiddenTitle, .noHeader, .noDefaultCell]

    private func checkHeaders(
        _ section: FeedSection, _ published: PublishedSection, _ table: LayoutTable, _ found: [ReviewFinding.Code], _ details: String
    ) throws {
        let headers = try published.arrangement.layouts.flatMap { try chain($0, table) }.map(headers)
        let counts = headers.map(\.count)
        switch section.header {
        case .none: #expect(counts.allSatisfy { $0 == 0 }, "\(details)")
        case .custom(let height, let isPinned):
            #expect(counts.allSatisfy { $0 == 1 }, "\(details)")
            for header in headers.flatMap(\.self) {
                if case .absolute(let points)? = height { #expect(header.frame.height == points.value, "\(details)") }
                if case .estimated(let points)? = height { #expect(header.frame.height == points.value, "\(details)") }
                if let isPinned { #expect((header.pin == .start) == isPinned, "\(details)") }
            }
        case .automatic where section.hasHeading: #expect(counts.allSatisfy { $0 == 1 }, "\(details)")
        case .automatic: #expect(counts.allSatisfy { $0 <= 1 }, "\(details)")
        }
        // A header has something to show, and a title has a header, except if the review reports it.
        #expect(found.contains(.emptyHeader) == (!section.hasHeading && counts.contains(1)), "\(details)")
        #expect(found.contains(.hiddenTitle) == (section.hasHeading && counts.contains(0)), "\(details)")
        let isAdded = section.hasHeading && section.header == .automatic
        let trees = isAdded ? try section.layout.fullTrees.count { try headerCount($0.section) == 0 } : 0
        #expect(found.count { $0 == .noHeader } == trees, "\(details)")
        // A list is a screen of its own with its title above, so no header is added to it.
        for layout in try published.seeAll?.arrangement.layouts.flatMap({ try chain($0, table) }) ?? [] {
            #expect(try headerCount(layout) <= 1, "\(details), seeAll")
        }
    }

    private func checkCells(
        _ section: FeedSection, _ published: PublishedSection, _ table: LayoutTable, _ found: [ReviewFinding.Code], _ details: String
    ) throws {
        var choices = self.choices(of: published.arrangement, section.cells)
        if let seeAll = published.seeAll {
            choices += self.choices(of: seeAll.arrangement, CellStyles.merged(seeAll.cells, over: section.cells))
        }
        #expect(found.contains(.noDefaultCell) == choices.contains { $0.cells.cell == nil }, "\(details)")
        for (id, cells) in choices {
            for (index, layout) in try chain(id, table).enumerated() {
                for slot in layout.slots where cells[slot] == nil {
                    // Without a default, a cell without a name and those of a fallback have none.
                    let isReported = cells.cell == nil && (slot == nil || index > 0)
                    #expect(isReported, "\(details): no cell for \(slot.map { "\($0)" } ?? "a slot without a name")")
                }
            }
        }
    }

    /// Returns each layout that can be chosen, with its cells.
    private func choices(of arrangement: Arrangement, _ cells: CellStyles) -> [(id: LayoutID, cells: CellStyles)] {
        [(arrangement.layout, cells)] + arrangement.variants.map { ($0.layout, .merged($0.cells, over: cells)) }
            + arrangement.alternates.map { ($0.layout, .merged($0.cells, over: cells)) }
    }

    @Test("A section of a sample feed has one header in each layout exactly if it has something to show in it")
    func samples() throws {
        for (name, bytes) in SQLFiles.sampleFeeds { _ = try check(try FeedDocument(parsing: bytes), name) }
    }

    @Test("2,000 random sections have one header in each layout exactly if they have something to show in it")
    func random() throws {
        var (seed, count) = (0 as UInt64, 0)
        var codes: [ReviewFinding.Code: Int] = [:]
        while count < 2_000 {
            var random = RandomFeeds(seed: seed)
            let document = try FeedDocument(parsing: random.document().json())
            for code in try check(document, "seed \(seed)") { codes[code, default: 0] += 1 }
            count += document.sections.count
            seed += 1
        }
        for code in Self.codes { #expect(codes[code, default: 0] > 20, "\(code.rawValue) is rare") }
    }
}

extension LayoutChoice {
    /// The full layouts of the document, which a curator wrote without a short form.
    fileprivate var fullTrees: [LayoutDescriptor] {
        ([form] + variants.map(\.form) + alternates.compactMap(\.form)).compactMap { form in
            switch form {
            case .compositional(let tree), .full(let tree): tree
            case .list, .grid, .nestedGroup, .carousel, .preset: nil
            }
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
