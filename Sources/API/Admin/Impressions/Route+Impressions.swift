internal import Access
internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing

extension Route {
    static func impressions(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/impressions/{id}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let parts = request.context.parameters["id"].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init)
                return try await request.reading { transaction in
                    let signer = try await service.catalog.signer(transaction.catalog)
                    guard let impression = try signer.impression(of: parts[0]), parts.last != "" else { throw Problem.unknownImpression }
                    let publication = try await transaction.feeds.publication(of: impression)
                    let described = DescribedImpression(
                        impression, placement: parts.count == 2 ? parts[1] : nil, publication: publication)
                    return AdminResponse(.ok, try described.json()).response
                }
            }
        ]
    }
}

extension CursorSigner {
    /// Returns the token of an impression, which is the same on every server of the catalog.
    func token(of impression: Impression) -> String { cursor(at: impression.texts, in: Impression.mark) }

    /// Returns the impression of a token, or nil if no server of the catalog made the token. A token with a retired key is a
    /// problem of its own, because the client is not to blame.
    func impression(of token: String) throws(Problem) -> Impression? {
        do throws(CursorSigner.Failure) {
            return Impression(try position(of: token, in: Impression.mark))
        } catch {
            switch error {
            case .damaged, .ofAnotherList: return nil
            case .ofRetiredKey:
                throw Problem(
                    .gone, code: "keyRetired",
                    detail:
                        "The key that signed the impression was replaced, so the server cannot read the impression. Use the impression of a newer page."
                )
            }
        }
    }
}

extension Problem {
    fileprivate static var unknownImpression: Problem {
        Problem(
            .notFound, code: "unknownImpression",
            detail:
                "The impression is damaged, or belongs to another catalog. Use the field impression of a page, alone or followed by a slash and a placement."
        )
    }
}
