package import JSON
internal import Resolve
internal import Values

/// Format 1 of feed documents, which has no `format` member. Older revisions keep it, and saving writes format 2.
package enum FeedFormat1 {
    /// The members that only format 2 has.
    private static let laterMemberNames = ["kind", "theme"]
    private static let laterSectionMemberNames = ["header", "size", "continues", "during"]
    private static let laterPinMemberNames = ["card", "show", "target"]
    private static let laterSeeAllMemberNames = ["variants", "alternates", "cell", "cells", "size", "rule", "sort", "exclude", "group"]
    private static let laterVariantMemberNames = ["cell", "cells"]
    private static let standardLimit = 100
    /// The number of items that a page showed, whatever the limit of the section.
    private static let shelfSize = 20

    /// Reads a document of format 1. Its issues have the locations of the text.
    static func read(_ json: JSONReader) throws(JSONReadError) -> FeedDocument {
        refuse(laterMemberNames, of: json.node, json)
        for section in json.node["sections"]?.elements.map(\.self) ?? [] {
            refuse(laterSectionMemberNames, of: section, json)
            if let seeAll = section["seeAll"] { refuse(laterSeeAllMemberNames, of: seeAll, json) }
            for pin in section["pins"]?.elements.map(\.self) ?? [] { refuse(laterPinMemberNames, of: pin, json) }
            for variant in section["variants"]?.elements.map(\.self) ?? [] { refuse(laterVariantMemberNames, of: variant, json) }
            checkLimit(of: section, json)
            if let bucket = section["target"]?["bucket"] { check(bucket, json) }
        }
        return try json.decode(as: FeedDocument.self, from: upgraded(JSONValue(json.node)), limits: .feed)
    }

    private static func check(_ bucket: JSONNode, _ json: JSONReader) {
        guard Bucket(JSONValue(bucket)) == nil else { return }
        json.report(
            .invalidFormat, at: bucket, "expected an experiment and two places from 0 to 100, such as \(Bucket.example)",
            hint: #"begin the document with "format": 2, and write "experiment": {"EXPERIMENT": ["ARM"]}"#)
    }

    private static func checkLimit(of section: JSONNode, _ json: JSONReader) {
        if let limit = section["limit"], !(1...FeedSection.maxItems ~= limit.integer ?? 0) {
            json.report(.outOfRange, at: limit, "expected 1 to \(FeedSection.maxItems)")
            return
        }
        let limit = section["limit"]?.integer ?? standardLimit
        if let minItems = section["minItems"], let number = minItems.integer, !(0...limit ~= number) {
            json.report(.outOfRange, at: minItems, "expected 0 to \(limit), the limit of the section")
        }
        for pin in section["pins"]?.elements.map(\.self) ?? [] {
            guard let slot = pin["slot"], let number = slot.integer, number >= limit else { continue }
            json.report(.outOfRange, at: slot, "expected 0 to \(limit - 1), because the limit is \(limit)")
        }
    }

    private static func refuse(_ names: [String], of node: JSONNode, _ json: JSONReader) {
        for name in names {
            guard let value = node[name] else { continue }
            json.report(
                .unknownKey, at: value, "a document without a format cannot have the key \"\(name)\"",
                hint: "begin the document with \"format\": 2")
        }
    }

    /// Returns a saved document in format 2. One that this program cannot read stays as it is.
    package static func upgraded(canonical document: [UInt8]) -> [UInt8] {
        do throws(JSONError) {
            let json = try JSONDocument(parsing: document, limits: .feed)
            guard json.root[FeedDocument.formatKey] == nil else { return document }
            return try json.decode(FeedDocument.self).canonical()
        } catch {
            return document
        }
    }

    /// Returns the document in format 2. A document that has a format stays as it is.
    package static func upgraded(_ document: JSONValue) -> JSONValue {
        guard case .object(var members) = document, document[FeedDocument.formatKey] == nil else { return document }
        members.removeAll { $0.key == "sections" }
        var upgraded = JSONValue.object([.init(key: FeedDocument.formatKey, value: .integer(FeedDocument.format))] + members)
        if let sections = document["sections"] {
            let buckets = sections.list.compactMap { ($0["target"]?["bucket"]).flatMap(Bucket.init) }
            upgraded["sections"] =
                if case .array(let list) = sections { .array(list.map { self.section($0, buckets) }) } else { sections }
        }
        return upgraded
    }

    private static func section(_ old: JSONValue, _ buckets: [Bucket]) -> JSONValue {
        var section = old
        section["target"] = old["target"].map { target($0, buckets) }
        let limit = if case .integer(let limit)? = old["limit"] { limit } else { standardLimit }
        let size = size(limit, pins: old["pins"]?.list ?? [], isFilled: old["rule"] != nil)
        section["limit"] = nil
        if size != FeedSection.standardSize { section["size"] = .integer(size) }
        if case .object? = old["seeAll"] {
            section["seeAll"]?["size"] = .integer(limit)
            section["seeAll"]?["layout"]?["carousel"]?["header"] = nil
        } else if limit > size, old["group"] == nil {
            section["continues"] = .bool(true)
        }
        if case .integer(let minItems)? = old["minItems"] { section["minItems"] = .integer(min(minItems, size)) }
        section["pins"] = old["pins"].map { pins($0, isFilled: old["rule"] != nil, size: size) }
        setHeader(of: &section)
        section["variants"] = old["variants"].map(variants)
        section["alternates"] = old["alternates"].map(alternates)
        return section
    }

    /// Replaces a bucket by the arms in its range. An experiment has an arm for each range between two bounds that the
    /// document uses, such as `p0-49`. The database has made the experiments of saved documents in the same way, and
    /// reads the arms of their buckets from its registry.
    private static func target(_ target: JSONValue, _ buckets: [Bucket]) -> JSONValue {
        guard let value = target["bucket"] else { return target }
        var upgraded = target
        upgraded["bucket"] = nil
        guard let bucket = Bucket(value) else { return upgraded }
        let same = buckets.filter { $0.experiment == bucket.experiment }
        let bounds = Set(same.flatMap { [$0.places.lowerBound, $0.places.upperBound] }).filter {
            bucket.places.lowerBound...bucket.places.upperBound ~= $0
        }.sorted()
        let arms = zip(bounds, bounds.dropFirst()).map { JSONValue.string("p\($0)-\($1 - 1)") }
        upgraded["experiment"] = .object([.init(key: bucket.experiment, value: .array(arms))])
        return upgraded
    }

    /// A range of the places in an experiment. Its clients are now those of arms.
    private struct Bucket {
        static let example = #"{"experiment": "weekend", "from": 0, "to": 50}"#
        let experiment: String
        let places: Range<Int>

        /// Returns nil if the value is not a valid bucket.
        init?(_ value: JSONValue) {
            guard case .object(let members) = value, members.count == 3, let experiment = value["experiment"]?.text,
                IdentifierFormat.name.fits(experiment), case .integer(let from)? = value["from"], case .integer(let to)? = value["to"],
                0 <= from, from < to, to <= Place.count
            else { return nil }
            self.experiment = experiment
            places = from..<to
        }
    }

    /// Returns the size of a shelf that has the items of the page and all pins.
    private static func size(_ limit: Int, pins: [JSONValue], isFilled: Bool) -> Int {
        // An invalid number is reported, so it must only not overflow here.
        let pinned = isFilled ? min(pins.compactMap(slot).max() ?? 0, FeedSection.maxSize) + 1 : pins.count
        return min(max(limit, 0), max(shelfSize, pinned), FeedSection.maxSize)
    }

    /// Moves pins to slots of the shelf. Without a rule, no item comes between them, so the first ones are on the shelf. With a rule,
    /// those after the items that a page showed move to the last slots, in the same order, so that the page begins as before.
    private static func pins(_ pins: JSONValue, isFilled: Bool, size: Int) -> JSONValue {
        guard case .array(let list) = pins, list.contains(where: { slot($0).map { $0 >= size } ?? false }) else { return pins }
        if isFilled {
            let first = min(shelfSize, size)
            let slots = Set(list.compactMap(slot).filter { $0 >= first }).sorted().prefix(size - first)
            var last = size
            var moved: [Int: Int] = [:]
            for slot in slots.reversed() {
                last = min(slot, last - 1)
                moved[slot] = last
            }
            return .array(
                list.compactMap { pin in
                    guard let slot = slot(pin), slot >= first else { return pin }
                    guard let last = moved[slot] else { return nil }
                    var pin = pin
                    pin["slot"] = .integer(last)
                    return pin
                })
        }
        let sorted = list.sorted { (slot($0) ?? 0) < (slot($1) ?? 0) }
        return .array(
            sorted.prefix(size).enumerated().map { index, pin in
                var pin = pin
                pin["slot"] = .integer(index)
                return pin
            })
    }

    private static func slot(_ pin: JSONValue) -> Int? { if case .integer(let slot)? = pin["slot"] { slot } else { nil } }

    /// Moves the header of a carousel, which was 44 points high, to the section.
    private static func setHeader(of section: inout JSONValue) {
        guard let header = section["layout"]?["carousel"]?["header"] else { return }
        section["layout"]?["carousel"]?["header"] = nil
        switch header {
        case .integer(0): section["header"] = .bool(false)
        case .integer(44): break
        default: section["header"] = .object([.init(key: "height", value: .object([.init(key: "absolute", value: header)]))])
        }
    }

    private static func variants(_ variants: JSONValue) -> JSONValue {
        guard case .array(let list) = variants else { return variants }
        return .array(
            list.map { variant in
                var variant = variant
                variant["layout"]?["carousel"]?["header"] = nil
                return variant
            })
    }

    private static func alternates(_ alternates: JSONValue) -> JSONValue {
        guard case .object(let members) = alternates else { return alternates }
        return .object(
            members.map { alternate in
                guard case .object = alternate.value else { return alternate }
                var layout = alternate.value
                layout["carousel"]?["header"] = nil
                return .init(key: alternate.key, value: .object([.init(key: "layout", value: layout)]))
            })
    }
}
