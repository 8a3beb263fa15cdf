internal import Access
internal import Feeds
internal import HTTPMessages
internal import JSON

extension Route {
    /// The routes of parts of a draft. Each change requires the tag of the whole draft and creates a revision.
    static func sections(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/feeds/{feed}/sections/{section}", .read, service) { request in
                let part = try DraftPart(request)
                return try await request.reading { transaction in
                    let (draft, edit) = try await part.read(transaction)
                    return try DraftPart.response(part.section(edit), of: draft)
                }
            },
            admin(.put, "/admin/v1/feeds/{feed}/sections/{section}", .curate, bodyLimit: .bytes(1 << 20), service) { request in
                let part = try DraftPart(request, takesPosition: true)
                return try await request.saving(part.feed, on: part.line) { transaction, draft in
                    var edit = try part.edit(draft)
                    let section = try part.body(transaction)
                    guard case .object(let members) = section,
                        members.contains(where: { $0.key == "key" && $0.value == .string(part.section.text) })
                    else { throw Problem.sectionMismatch(part.section) }
                    edit.save(section, as: part.section, at: part.position)
                    return try edit.document()
                }
            },
            admin(.delete, "/admin/v1/feeds/{feed}/sections/{section}", .curate, service) { request in
                let part = try DraftPart(request)
                return try await request.saving(part.feed, on: part.line) { _, draft in
                    var edit = try part.edit(draft)
                    _ = try part.section(edit)
                    edit.remove(part.section)
                    return try edit.document()
                }
            },
        ]
    }
}

extension Problem {
    static func unknown(_ section: SectionKey, of feed: FeedKey) -> Problem {
        Problem(
            .notFound, code: "unknownSection",
            detail: "The draft of feed '\(feed)' has no section '\(section)'. Use a section key of the draft.")
    }

    fileprivate static func sectionMismatch(_ section: SectionKey) -> Problem {
        var problem = Problem(
            .unprocessableContent, code: "sectionMismatch",
            detail: "The body and the path name different sections. Use the same section key in both.")
        problem.issues = [FieldError(pointer: "/key", message: "expected \(section)")]
        return problem
    }
}
