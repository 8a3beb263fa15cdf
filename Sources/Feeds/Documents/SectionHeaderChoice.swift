package import JSON
package import Layout

/// The header that a curator chose for a section.
package enum SectionHeaderChoice: Sendable, Hashable {
    /// There is a header if the section has something to show in it.
    case automatic
    case none
    /// There is a header in each layout. A property that is nil is that of the layout, or the standard one.
    case custom(height: Dimension?, isPinned: Bool?)
}

extension FeedSection {
    /// The header in the layouts of the section.
    package var headerOfLayouts: SectionHeader {
        switch header {
        case .none: .removed
        case .custom(let height, let isPinned): .shown(height: height, isPinned: isPinned)
        case .automatic where hasHeading: .shown(height: nil, isPinned: nil)
        case .automatic: .unchanged
        }
    }

    /// Whether the section has a text or a button for a header.
    package var hasHeading: Bool { title != nil || subtitle != nil || seeAll != nil || grouping != .none }
}

extension SectionHeaderChoice: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .object else {
            guard json.node.bool == false else { throw json.mismatch("false or an object such as {\"height\": {\"estimated\": 44}}") }
            self = .none
            return
        }
        var object = try json.object()
        let height = object.optional("height", as: Dimension.self)
        let isPinned = object.optional("pinned", as: Bool.self)
        try object.finish()
        self = .custom(height: height, isPinned: isPinned)
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .automatic, .none: json.bool(false)
        case .custom(let height, let isPinned):
            json.object { json in
                json.member("height", height)
                json.member("pinned", isPinned)
            }
        }
    }
}
