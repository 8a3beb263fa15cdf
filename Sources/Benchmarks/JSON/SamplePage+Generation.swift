extension SamplePage {
    /// Returns a page that is always the same, about 100 kB as text: 12 sections over 3 layouts, 180 items.
    static func generated() -> SamplePage {
        let ids = (0..<180).map(id)
        return SamplePage(
            schema: "vitrine.page/1", feed: "today", storefront: "us", locale: "en", revision: 42, version: 6449,
            validUntil: "2026-12-24T05:00:00Z", configuration: Configuration(interSectionSpacing: 24, contentInsetsReference: "safeArea"),
            layouts: Dictionary(uniqueKeysWithValues: (0..<3).map { (layoutID($0), .generated($0)) }),
            sections: (0..<12).map { .generated($0, layoutID($0 % 3), Array(ids[$0 * 15..<$0 * 15 + 15])) },
            items: Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, .generated($0, $1)) }))
    }

    private static func id(_ number: Int) -> String {
        let digits = String(UInt64(truncatingIfNeeded: number &+ 1) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        return "0d0f8a3e-7f6c-4a43-9a51-" + digits.prefix(12)
    }

    private static func layoutID(_ number: Int) -> String { "5c1d0f1be3b9a7d21d07f7f5f8a4c3e\(number)" }
}

extension SampleLayout {
    fileprivate static func generated(_ number: Int) -> SampleLayout {
        let full = Dimension(fractionalWidth: 1)
        let leaf = Leaf(kind: "item", size: Size(width: full, height: Dimension(fractionalHeight: 0.25)))
        let size = Size(width: Dimension(fractionalWidth: 0.93), height: Dimension(absolute: 210))
        return SampleLayout(
            kind: number == 0 ? .carousel : .grid, rows: 3, columns: number == 0 ? nil : 2, paging: "groupPaging",
            group: Group(
                kind: "vertical", size: size, subitems: [leaf, leaf], fill: Fill(equal: 3), interItemSpacing: Spacing(fixed: 10)),
            contentInsets: Insets(leading: 20, bottom: 16.5, trailing: 20), interGroupSpacing: 10,
            orthogonalScrollingBehavior: "groupPaging",
            boundarySupplementaryItems: [
                Boundary(elementKind: "header", size: Size(width: full, height: Dimension(absolute: 44)), alignment: "top")
            ])
    }
}

extension SampleSection {
    fileprivate static func generated(_ number: Int, _ layout: String, _ items: [String]) -> SampleSection {
        let id = "today/section-\(number)"
        return SampleSection(
            id: id, version: 6000 + number, title: "Section \(number): “Top Free”", layout: layout,
            alternates: number % 2 == 0 ? ["grid": layout, "column": layout] : nil, active: number % 2 == 0 ? "grid" : nil, cell: "appRow",
            items: items.enumerated().map { Placement(placement: "\(id)/k\($0)", item: $1, badges: $0 % 5 == 0 ? ["new"] : nil) },
            next: "/v1/us/feeds/today/sections/section-\(number)/items?cursor=eyJrIjoxfQ", extent: 270, skeleton: 6,
            tracking: "today.top-free",
            seeAll: SeeAll(title: "See All", layout: layout, href: "/v1/us/feeds/today/sections/section-\(number)/items"))
    }
}

extension SampleItem {
    fileprivate static func generated(_ number: Int, _ id: String) -> SampleItem {
        SampleItem(
            kind: "topApp", version: 6000 + number, serialNumber: 1000 + number, slug: "harbor-notes-\(number)",
            title: "Harbor Notes \(number)",
            subtitle: number % 3 == 0 ? "Write by the \"water\" — naïvely" : "Write by the water",
            image: Image(
                template: "/v1/images/1/\(id)/icon/{w}x{h}.png", width: 480, height: 480, color: "#1F6F8B",
                blurhash: "L6Pj0^i_.AyE_3t7t7R**0o#DgR4", alt: "A lighthouse on a teal notebook"),
            categories: ["productivity", "business"], rating: Rating(average: Double(number % 50) / 10, count: number * 37),
            price: Price(amountMinor: number % 4 * 99, currency: "USD"), developer: "Quay Labs", appVersion: "3.4.\(number)")
    }
}
