internal import Access
internal import Feeds
internal import HTTPMessages
internal import JSON

extension Route {
    /// Parts of a draft, each changed as the whole is: with its tag, and into a revision of its own.
    static func sections(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/feeds/{key}/sections/{section}", .read, service) { request in
                let part = try DraftPart(request)
                return try await request.reading { transaction in
                    let (draft, edit) = try await part.read(transaction)
                    return try DraftPart.answer(part.section(edit), of: draft)
                }
            },
            admin(.put, "/admin/v1/feeds/{key}/sections/{section}", .curate, bodyLimit: .bytes(1 << 20), service) { request in
                let part = try DraftPart(request, takesPosition: true)
                return try await request.saving(part.feed, on: part.line) { transaction, draft in
                    var edit = try part.edit(draft)
                    let section = try part.body(transaction)
                    guard case .object(let members) = section,
                        members.contains(where: { $0.key == "key" && $0.value == .string(part.section.text) })
                    else { throw Problem.otherSection(part.section) }
                    edit.put(section, as: part.section, at: part.position)
                    return try edit.document()
                }
            },
            admin(.delete, "/admin/v1/feeds/{key}/sections/{section}", .curate, service) { request in
                let part = try DraftPart(request)
                return try await request.saving(part.feed, on: part.line) { _, draft in
                    var edit = try part.edit(draft)
                    _ = try part.section(edit)
                    edit.remove(part.section)
                    return try edit.document()
                }
            },
            admin(.get, "/admin/v1/feeds/{key}/sections/{section}/pins/{slot}", .read, service) { request in
                let (part, slot) = (try DraftPart(request), try request.slot())
                return try await request.reading { transaction in
                    let (draft, edit) = try await part.read(transaction)
                    guard let pin = edit.pin(slot, of: part.section) else { throw Problem.unknownPin(slot, of: part.section) }
                    return try DraftPart.answer(pin, of: draft)
                }
            },
            admin(.put, "/admin/v1/feeds/{key}/sections/{section}/pins/{slot}", .curate, bodyLimit: .standard, service) { request in
                let (part, slot) = (try DraftPart(request), try request.slot())
                return try await request.saving(part.feed, on: part.line) { transaction, draft in
                    var edit = try part.edit(draft)
                    _ = try part.section(edit)
                    guard case .object(let members) = try part.body(transaction), members.count == 1, let item = members.first,
                        item.key == "item"
                    else { throw Problem.noItem }
                    edit.setPin(slot, of: part.section, to: item.value)
                    return try edit.document()
                }
            },
            admin(.delete, "/admin/v1/feeds/{key}/sections/{section}/pins/{slot}", .curate, service) { request in
                let (part, slot) = (try DraftPart(request), try request.slot())
                return try await request.saving(part.feed, on: part.line) { _, draft in
                    var edit = try part.edit(draft)
                    guard edit.pin(slot, of: part.section) != nil else { throw Problem.unknownPin(slot, of: part.section) }
                    edit.setPin(slot, of: part.section, to: nil)
                    return try edit.document()
                }
            },
            admin(.get, "/admin/v1/feeds/{key}/sections/{section}/rule", .read, service) { request in
                let part = try DraftPart(request)
                return try await request.reading { transaction in
                    let (draft, edit) = try await part.read(transaction)
                    guard let rule = try part.section(edit)["rule"] else { throw Problem.unknownRule(of: part.section) }
                    return try DraftPart.answer(rule, of: draft)
                }
            },
            admin(.put, "/admin/v1/feeds/{key}/sections/{section}/rule", .curate, bodyLimit: .standard, service) { request in
                let part = try DraftPart(request)
                return try await request.saving(part.feed, on: part.line) { transaction, draft in
                    var edit = try part.edit(draft)
                    var section = try part.section(edit)
                    section["rule"] = try part.body(transaction)
                    edit.put(section, as: part.section)
                    return try edit.document()
                }
            },
            admin(.delete, "/admin/v1/feeds/{key}/sections/{section}/rule", .curate, service) { request in
                let part = try DraftPart(request)
                return try await request.saving(part.feed, on: part.line) { _, draft in
                    var edit = try part.edit(draft)
                    var section = try part.section(edit)
                    guard section["rule"] != nil else { throw Problem.unknownRule(of: part.section) }
                    section["rule"] = nil
                    edit.put(section, as: part.section)
                    return try edit.document()
                }
            },
        ]
    }
}

extension AdminRequest {
    fileprivate func slot() throws(Problem) -> Int {
        try context.parameters.value("slot") { Int($0).flatMap { 0..<1_000 ~= $0 ? $0 : nil } }
    }
}

extension Problem {
    static func unknown(_ section: SectionKey, of feed: FeedKey) -> Problem {
        Problem(.notFound, code: "unknownSection", detail: "There is no section \(section) in this draft of \(feed).")
    }

    fileprivate static func unknownRule(of section: SectionKey) -> Problem {
        Problem(.notFound, code: "unknownRule", detail: "\(section) has no rule in this draft.")
    }

    fileprivate static func unknownPin(_ slot: Int, of section: SectionKey) -> Problem {
        Problem(.notFound, code: "unknownPin", detail: "Nothing is pinned at slot \(slot) of \(section) in this draft.")
    }

    fileprivate static func otherSection(_ section: SectionKey) -> Problem {
        var problem = Problem(.unprocessableContent, code: "otherSection", detail: "The body is not the section of the path.")
        problem.mistakes = [FieldError(pointer: "/key", message: "expected \(section)")]
        return problem
    }

    fileprivate static var noItem: Problem {
        var problem = Problem(.unprocessableContent, code: "invalidDocument", detail: "A pin is an object with an item alone.")
        problem.mistakes = [FieldError(pointer: "/item", message: "expected an item as topapp:harbor-notes, and nothing beside it")]
        return problem
    }
}
