internal import HTTPMessages
internal import Items

extension Storefront {
    /// The one that is asked for, else the one that suits the client best.
    func locale(of context: RequestContext) throws(Problem) -> LocaleTag {
        guard let asked = context.head.target.query["locale"] else { return locale(for: AcceptedLanguages(context.head.fields).tags) }
        guard let locale = locales.first(where: { $0.text.utf8.elementsEqual(asked.utf8) }) else {
            throw Problem(parameter: "locale", "expected one of \(locales.map(\.text).joined(separator: ", "))")
        }
        return locale
    }
}

extension Problem {
    static var unknownStorefront: Problem {
        Problem(.notFound, code: "unknownStorefront", detail: "There is no such storefront.", see: "/v1/storefronts")
    }
}
