/// The help of one command.
struct HelpPage {
    let path: CommandPath
    let page: Page

    init(of path: CommandPath, on page: Page) {
        self.path = path
        self.page = page
    }

    var text: String { "\(path.names)\n\n\(path.command.abstract)\n" }
}

extension OptionDeclaration {
    /// The option as it would be typed, with its placeholder.
    var usage: String {
        if case .value(let placeholder) = shape { return "--\(name) \(placeholder)" }
        return "--\(name)"
    }
}
