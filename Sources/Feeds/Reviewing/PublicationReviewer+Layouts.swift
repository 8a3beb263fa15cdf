internal import JSON
internal import Layout

extension PublicationReviewer {
    func layouts(of section: FeedSection, at index: Int, _ pointer: JSONPointer) -> [ReviewFinding] {
        let items = context.live.values.compactMap { $0[section.key]?.items }.max() ?? 0
        let count = items > 0 ? items : section.limit
        var found = findings(of: section.layout, at: index, itemCount: count, section.key, pointer)
        if let seeAll = section.seeAll {
            let choice = LayoutChoice(seeAll.layout)
            found += findings(of: choice, at: index, itemCount: count, section.key, pointer.appending("seeAll"))
        }
        return found
    }

    private func findings(
        of choice: LayoutChoice, at index: Int, itemCount: Int, _ section: SectionKey, _ pointer: JSONPointer
    ) -> [ReviewFinding] {
        let expansion = choice.expanded(at: index)
        let form = choice.form.expanded(at: index)
        let lint = LayoutLint(matrix, configuration: document.configuration, itemCount: itemCount)
        var table = LayoutTable()
        _ = expansion.published(into: &table, hashedBy: hash)
        let fallbacks = table.findings(at: .root).map { finding in
            self.finding(finding, section, at: pointer.appending("layout"), within: [])
        }
        return fallbacks
            + lint.findings(in: expansion).map { finding in
                let (target, rest) = self.location(of: finding.pointer.tokens[...], in: expansion, form, pointer)
                return self.finding(finding, section, at: target, within: rest)
            }
    }

    /// Returns the location of a part of the full layouts in the document, as far as the document contains it.
    private func location(
        of tokens: ArraySlice<String>, in expansion: Expansion, _ form: Expansion, _ pointer: JSONPointer
    ) -> (JSONPointer, ArraySlice<String>) {
        let own = expansion.variants.count - form.variants.count
        if tokens.first == "variants", let index = tokens.dropFirst().first.flatMap({ Int($0) }), index < own {
            return (pointer.appending("variants").appending(index).appending("layout"), tokens.dropFirst(3))
        }
        if tokens.first == "alternates", expansion.alternates != form.alternates, let name = tokens.dropFirst().first {
            return (pointer.appending("alternates").appending(name), tokens.dropFirst(2))
        }
        return (pointer.appending("layout"), tokens)
    }

    private func finding(_ finding: Finding, _ section: SectionKey, at pointer: JSONPointer, within rest: ArraySlice<String>)
        -> ReviewFinding
    {
        let part = rest.isEmpty ? "" : " In the full layout, this is \(JSONPointer(tokens: Array(rest)))."
        let screens = finding.isOnEveryScreen ? "" : "on \(finding.screens.listed): "
        return ReviewFinding(
            severity: finding.code.severity, code: .init(rawValue: finding.code.rawValue), section: section, pointer: pointer,
            message: "\(screens)\(finding.sentence)\(part)",
            help: "Run 'vitrine layout preview' to see the effect. Choose another layout or other sizes.")
    }
}
