internal import Items
package import JSON
internal import Values

extension SectionExplanation: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("section", section)
            json.member("sort", sort)
            json.key("slots")
            json.array { json in
                for (place, slot) in slots.enumerated() {
                    json.object { json in
                        json.member("slot", place)
                        json.member("item", slot.item.description)
                        slot.reason.encodeMembers(to: &json)
                    }
                }
            }
            json.key("losers")
            json.array { json in
                for loser in losers {
                    json.object { json in
                        json.member("item", loser.item?.description)
                        json.member("named", loser.reference?.description)
                        loser.loss.encodeMembers(to: &json)
                        json.member("merit", loser.merit)
                    }
                }
            }
            if let kept { json.member("kept", kept) }
            json.member("lack", lack?.word)
            json.member("absentLack", absentLack?.word)
        }
    }
}

extension SectionExplanation.Reason {
    fileprivate func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .pin(let slot):
            json.member("reason", "pin")
            json.member("pin", slot)
        case .rule(let place, let merit):
            json.member("reason", "rule")
            json.member("place", place)
            json.member("merit", merit)
        case .kept: json.member("reason", "kept")
        }
    }
}

extension SectionExplanation.OmissionReason {
    fileprivate func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .excluded: json.member("reason", "excluded")
        case .pinned(let slot):
            json.member("reason", "pinned")
            json.member("pin", slot)
        case .behindTheLimit: json.member("reason", "behindTheLimit")
        case .absent: json.member("reason", "absent")
        }
    }
}

extension SectionExplanation.SortValues: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("rank", rank)
            json.member("ratingHundredths", rating)
            json.member("ratings", ratings)
            json.member("releasedOn", releasedOn)
            json.member("title", title)
        }
    }
}

extension ComposedSection.RetentionReason: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .tooFew(let found, let minimum):
                json.member("because", "tooFew")
                json.member("found", found)
                json.member("minimum", minimum)
            case .tooLargeDrop(let found, let before):
                json.member("because", "tooLargeDrop")
                json.member("found", found)
                json.member("before", before)
            }
        }
    }
}

extension RuleFailure {
    fileprivate var word: String {
        switch self {
        case .tooSlow: "tooSlow"
        case .tooLarge: "tooLarge"
        case .notAsked: "notAsked"
        }
    }
}
