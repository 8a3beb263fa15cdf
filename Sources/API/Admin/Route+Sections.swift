internal import Access
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON

extension Route {
    /// Parts of a draft, each changed as the whole is: with its tag, and into a revision of its own.
    static func sections(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/feeds/{key}/sections/{section}", .read, service) { call in
                let part = try DraftPart(call)
                return try await call.reading { desk in
                    let (draft, edit) = try await part.read(desk)
                    return try DraftPart.answer(part.section(edit), of: draft)
                }
            },
            admin(.put, "/admin/v1/feeds/{key}/sections/{section}", .curate, bodyLimit: .bytes(1 << 20), service) { call in
                let part = try DraftPart(call, takesPosition: true)
                return try await call.saving(part.feed, on: part.line) { desk, draft in
                    var edit = try part.edit(draft)
                    let section = try part.body(desk)
                    guard case .object(let members) = section,
                        members.contains(where: { $0.key == "key" && $0.value == .string(part.section.text) })
                    else { throw Problem.otherSection(part.section) }
                    edit.put(section, as: part.section, at: part.position)
                    return try edit.document()
                }
            },
            admin(.delete, "/admin/v1/feeds/{key}/sections/{section}", .curate, service) { call in
                let part = try DraftPart(call)
                return try await call.saving(part.feed, on: part.line) { _, draft in
                    var edit = try part.edit(draft)
                    _ = try part.section(edit)
                    edit.remove(part.section)
                    return try edit.document()
                }
            },
            admin(.get, "/admin/v1/feeds/{key}/sections/{section}/pins/{slot}", .read, service) { call in
                let (part, slot) = (try DraftPart(call), try call.slot())
                return try await call.reading { desk in
                    let (draft, edit) = try await part.read(desk)
                    guard let pin = edit.pin(slot, of: part.section) else { throw Problem.unknownPin(slot, of: part.section) }
                    return try DraftPart.answer(pin, of: draft)
                }
            },
            admin(.put, "/admin/v1/feeds/{key}/sections/{section}/pins/{slot}", .curate, bodyLimit: .standard, service) { call in
                let (part, slot) = (try DraftPart(call), try call.slot())
                return try await call.saving(part.feed, on: part.line) { desk, draft in
                    var edit = try part.edit(draft)
                    _ = try part.section(edit)
                    guard case .object(let members) = try part.body(desk), members.count == 1, let item = members.first, item.key == "item"
                    else { throw Problem.noItem }
                    edit.setPin(slot, of: part.section, to: item.value)
                    return try edit.document()
                }
            },
            admin(.delete, "/admin/v1/feeds/{key}/sections/{section}/pins/{slot}", .curate, service) { call in
                let (part, slot) = (try DraftPart(call), try call.slot())
                return try await call.saving(part.feed, on: part.line) { _, draft in
                    var edit = try part.edit(draft)
                    guard edit.pin(slot, of: part.section) != nil else { throw Problem.unknownPin(slot, of: part.section) }
                    edit.setPin(slot, of: part.section, to: nil)
                    return try edit.document()
                }
            },
            admin(.get, "/admin/v1/feeds/{key}/sections/{section}/rule", .read, service) { call in
                let part = try DraftPart(call)
                return try await call.reading { desk in
                    let (draft, edit) = try await part.read(desk)
                    guard let rule = try part.section(edit)["rule"] else { throw Problem.unknownRule(of: part.section) }
                    return try DraftPart.answer(rule, of: draft)
                }
            },
            admin(.put, "/admin/v1/feeds/{key}/sections/{section}/rule", .curate, bodyLimit: .standard, service) { call in
                let part = try DraftPart(call)
                return try await call.saving(part.feed, on: part.line) { desk, draft in
                    var edit = try part.edit(draft)
                    var section = try part.section(edit)
                    section["rule"] = try part.body(desk)
                    edit.put(section, as: part.section)
                    return try edit.document()
                }
            },
            admin(.delete, "/admin/v1/feeds/{key}/sections/{section}/rule", .curate, service) { call in
                let part = try DraftPart(call)
                return try await call.saving(part.feed, on: part.line) { _, draft in
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
    fileprivate func slot() throws(Problem) -> Int { try call.parameters.value("slot") { Int($0).flatMap { 0..<1_000 ~= $0 ? $0 : nil } } }
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
