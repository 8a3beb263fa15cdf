package import JSON
package import Layout

/// The colors of a feed: a value for each color token that its layouts use.
package struct FeedTheme: Sendable, Hashable {
    /// The appearance of a screen.
    package enum Appearance: Sendable { case light, dark }

    /// A color in light and in dark appearance, as red, green and blue with eight bits each.
    package struct Color: Sendable, Hashable {
        package let light: LayoutColor
        /// The color in dark appearance. nil if it is the same.
        package let dark: LayoutColor?

        package func value(in appearance: Appearance) -> LayoutColor {
            switch appearance {
            case .light: light
            case .dark: dark ?? light
            }
        }
    }

    package let colors: [Name: Color]

    package init(_ colors: [Name: Color] = [:]) { self.colors = colors }
}

extension FeedTheme: JSONDecodable, JSONObjectEncodable {
    /// Reads a theme. A lenient reading drops the tokens that it does not understand.
    package init(from json: JSONReader) throws(JSONReadError) {
        var colors: [Name: Color] = [:]
        var failure: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                guard case .token(let token)? = LayoutColor(value.key) else {
                    throw value.refuse(
                        .invalidFormat, "expected a token as the key: a lowercase letter, then at most 63 letters and digits")
                }
                colors[token] = try value.decode()
            } catch {
                failure = error
            }
        }
        if json.isStrict, let failure { throw failure }
        self.init(colors)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        for (token, color) in colors.sorted(by: { $0.key.text < $1.key.text }) { json.member(token.text, color) }
    }
}

extension FeedTheme.Color: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let light = object.required("light", as: LayoutColor.self, .value)
        dark = object.optional("dark", as: LayoutColor.self, .value)
        self.light = try light()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("light", light)
        json.member("dark", dark)
    }
}

extension JSONRule<LayoutColor> {
    fileprivate static var value: JSONRule {
        .satisfying(.invalidFormat, "expected a color in the form #RRGGBB, not a token") { color in
            if case .rgb = color { true } else { false }
        }
    }
}
