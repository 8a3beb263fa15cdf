package import JSON

/// The parts of a page that `resolve` reads. A lenient reading omits a section, a placement or an experiment that it
/// does not understand.
extension Edition: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let sections = object.lossyArray("sections", of: ResolvableSection.self)
        let experiments = object.optional("experiments") { json throws(JSONReadError) in try Self.assignments(json) }
        self.init(sections: sections, experiments: experiments ?? [:], holdout: object.optional("holdout"))
    }

    private static func assignments(_ json: JSONReader) throws(JSONReadError) -> [String: Assignment] {
        var assignments: [String: Assignment] = [:]
        for value in try json.values() {
            do throws(JSONReadError) {
                assignments[value.key] = try value.decode()
            } catch {
                if json.isStrict { throw error }
            }
        }
        return assignments
    }
}

extension Edition: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("sections", sections)
        json.member("experiments", experiments, unless: [:])
        json.member("holdout", holdout)
    }
}

extension Edition.Assignment: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        if let arm = object.optional("arm", as: String.self) { self = .arm(arm) } else { self = .experiment(try Experiment(&object)) }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .experiment(let experiment): experiment.encodeMembers(to: &json)
        case .arm(let arm): json.member("arm", arm)
        }
    }
}

extension ResolvableSection: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let id = object.required("id", as: String.self)
        let target = object.optional("target", as: Target.self)
        let fill = object.essential("fill", as: Fill.self)
        let placements = object.lossyArray("items", of: Placement.self)
        self.init(id: try id(), target: target, fill: fill, placements: placements)
    }
}

extension ResolvableSection: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("target", target)
        json.member("fill", fill)
        json.member("items", placements)
    }
}

extension Fill: JSONObjectDecodable, JSONObjectEncodable {
    /// The bound of both numbers. Sums of them do not overflow.
    private static let maxItems = 1_000_000

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let size = object.required("size", as: Int.self, .in(0...Self.maxItems))
        let minItems = object.essential("minItems", default: 1, .in(0...Self.maxItems))
        let without = object.essential("without", default: [String]())
        self.init(size: try size(), minItems: minItems, without: without)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("size", size)
        json.member("minItems", minItems)
        json.member("without", without, unless: [])
    }
}

extension Placement: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let id = object.required("placement", as: String.self)
        let item = object.essential("item", as: String.self)
        let isCard = object.member("card") != nil
        let slot = object.essential("pin", as: Int.self)
        let target = object.optional("target", as: Target.self)
        let platforms = object.essential("on", as: [String].self)
        guard (item == nil) == isCard else { throw object.refuse(.invalidChoice, at: "item", "expected an item or a card") }
        guard slot != nil || target == nil else { throw object.refuse(.missingKey, at: "pin", "a placement with a target is pinned") }
        guard platforms?.isEmpty != true else { throw object.refuse(.invalidCount, at: "on", "expected at least one platform") }
        self.init(id: try id(), item: item, pin: slot.map { Pin(slot: $0, target: target) }, platforms: platforms.map(Set.init))
    }
}

extension Placement: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("placement", id)
        if let item { json.member("item", item) } else { json.member("card") { _ in } }
        json.member("pin", pin?.slot)
        json.member("target", pin?.target)
        json.member("on", platforms?.sorted())
    }
}
