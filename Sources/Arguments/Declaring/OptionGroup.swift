/// Options that several commands share, under a heading of their own in help.
package struct OptionGroup: Sendable {
    package let title: String
    package let options: [OptionDeclaration]

    package init(_ title: String, _ options: [any OptionDeclaring]) {
        self.title = title
        self.options = options.map(\.declaration)
    }
}
