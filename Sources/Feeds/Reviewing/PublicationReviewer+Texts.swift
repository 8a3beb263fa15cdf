internal import Items
internal import JSON
internal import Layout

extension PublicationReviewer {
    func texts(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        let texts = [
            (section.title, pointer.appending("title")), (section.subtitle, pointer.appending("subtitle")),
            (section.seeAll?.title, pointer.appending("seeAll").appending("title")),
        ]
        return texts.flatMap { text, pointer in text.map { missingTexts($0, of: section, at: pointer) } ?? [] }
    }

    /// In which locales a text is shown in another.
    func missingTexts(_ text: LocalizedText, of section: FeedSection?, at pointer: JSONPointer) -> [ReviewFinding] {
        var missing: [String] = []
        for locale in storefronts(of: section).flatMap(\.locales) where isShown(section, in: locale) {
            guard !locale.fallbacks.contains(where: { text[$0] != nil }), !missing.contains(locale.text) else { continue }
            missing.append(locale.text)
        }
        guard !missing.isEmpty else { return [] }
        return [
            ReviewFinding(
                severity: .warning, code: .missingText, section: section?.key, pointer: pointer,
                message: "there is no text in \(missing.listed), where another language is shown", help: "Add it.")
        ]
    }

    private func isShown(_ section: FeedSection?, in locale: LocaleTag) -> Bool {
        guard let wanted = section?.target?.locales, !wanted.isEmpty else { return true }
        return wanted.contains { locale.isOrRefines($0) }
    }
}
