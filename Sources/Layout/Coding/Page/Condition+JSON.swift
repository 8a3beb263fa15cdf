package import JSON

extension Condition: JSONDecodable, JSONObjectEncodable {
    /// Reads a condition. A strict reading rejects an unknown part. A lenient one rejects the whole condition, because
    /// a condition that is not completely known must not hold.
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        horizontalSizeClass = object.essential("horizontalSizeClass")
        verticalSizeClass = object.essential("verticalSizeClass")
        minWidth = object.essential("minWidth")
        maxWidth = object.essential("maxWidth")
        minHeight = object.essential("minHeight")
        maxHeight = object.essential("maxHeight")
        minTextSize = object.essential("minTextSize")
        maxTextSize = object.essential("maxTextSize")
        try object.finish()
        let parts = json.node.members.underestimatedCount
        guard parts > 0 else { throw json.refuse(.missingKey, "a condition has at least one part", hint: "remove the variant") }
        guard partCount == parts else { throw json.refuse(.unknownKey, "a part of the condition is unknown") }
        if json.isStrict { try checkBounds(object) }
    }

    private var partCount: Int {
        [
            horizontalSizeClass != nil, verticalSizeClass != nil, minWidth != nil, maxWidth != nil, minHeight != nil, maxHeight != nil,
            minTextSize != nil, maxTextSize != nil,
        ].count { $0 }
    }

    /// Checks that a screen can meet the condition.
    private func checkBounds(_ object: JSONObjectReader) throws(JSONReadError) {
        func check<Value>(_ key: String, _ least: Value?, _ greatest: Value?, _ isAbove: (Value, Value) -> Bool) throws(JSONReadError) {
            guard let least, let greatest, isAbove(least, greatest) else { return }
            throw object.refuse(.outOfRange, at: key, "the minimum is above the maximum, so the condition never holds")
        }
        try check("minWidth", minWidth?.value, maxWidth?.value, >)
        try check("minHeight", minHeight?.value, maxHeight?.value, >)
        try check("minTextSize", minTextSize, maxTextSize, >)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("horizontalSizeClass", horizontalSizeClass)
        json.member("verticalSizeClass", verticalSizeClass)
        json.member("minWidth", minWidth)
        json.member("maxWidth", maxWidth)
        json.member("minHeight", minHeight)
        json.member("maxHeight", maxHeight)
        json.member("minTextSize", minTextSize)
        json.member("maxTextSize", maxTextSize)
    }
}
