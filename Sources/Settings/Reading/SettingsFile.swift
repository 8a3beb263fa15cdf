internal import JSON
internal import Values

struct SettingsFile {
    private let path: String
    private let names: [[String]: SettingDeclaration]
    private var nodes: [[String]: JSONNode] = [:]
    private(set) var issues: [SettingsIssue] = []

    init(_ bytes: [UInt8], path: String, declarations: [SettingDeclaration]) {
        self.path = path
        let inFile = declarations.lazy.filter(\.isInFile).map { ($0.name.keys, $0) }
        names = Dictionary(inFile) { first, _ in first }
        do throws(JSONError) {
            let root = try JSONDocument(parsing: bytes).root
            if root.kind == .object {
                read(root, under: [])
            } else {
                report(root, [], "expected an object of settings, found \(root.kind.rawValue)")
            }
        } catch {
            issues += error.issues.map { SettingsIssue($0, in: path) }
        }
    }

    /// Returns the value that the file gives a setting, and reports an issue if its type is wrong.
    func given(_ declaration: SettingDeclaration, reporting issues: inout [SettingsIssue]) -> SettingInput? {
        guard declaration.isInFile, let node = nodes[declaration.name.keys] else { return nil }
        let origin = origin(of: node, declaration.name.keys)
        if declaration.isList, node.kind == .array { return given(elements: node, of: declaration, from: origin, reporting: &issues) }
        if let text = node.text(of: declaration) { return SettingInput(text, from: origin, isList: declaration.isList) }
        issues.append(SettingsIssue(origin, "expected \(declaration.expectedKind), found \(node.kind.rawValue)"))
        return nil
    }

    private func given(
        elements array: JSONNode, of declaration: SettingDeclaration, from origin: SettingOrigin,
        reporting issues: inout [SettingsIssue]
    ) -> SettingInput? {
        guard array.count > 0 else {
            issues.append(SettingsIssue(origin, "expected at least one \(declaration.placeholder), found an empty array"))
            return nil
        }
        var texts: [SettingInput.Text] = []
        for (index, element) in array.elements.enumerated() {
            let place = self.origin(of: element, declaration.name.keys + ["\(index)"])
            if let text = element.text(of: declaration) {
                texts.append(SettingInput.Text(text: text, origin: place))
            } else {
                issues.append(SettingsIssue(place, "expected a string, found \(element.kind.rawValue)"))
            }
        }
        return texts.count == array.count ? SettingInput(texts, from: origin) : nil
    }

    /// Sorts the fields of an object into settings, groups of settings and unknown keys.
    private mutating func read(_ object: JSONNode, under keys: [String]) {
        for member in object.members {
            let path = keys + [member.key]
            if names[path] != nil {
                nodes[path] = member.value
            } else if !names.keys.contains(where: { $0.starts(with: path) }) {
                reportUnknown(member, path)
            } else if member.value.kind == .object {
                read(member.value, under: path)
            } else {
                report(member.value, path, "expected an object with \(keyList(under: path[...])), found \(member.value.kind.rawValue)")
            }
        }
    }

    private mutating func reportUnknown(_ member: JSONMembers.Member, _ path: [String]) {
        let siblings = self.keys(under: path.dropLast())
        let near = member.key.nearest(among: siblings)
        let advice = near == nil ? "; expected one of \(keyList(under: path.dropLast()))" : ""
        let origin = SettingOrigin.file(path: self.path, member.position, JSONPointer(tokens: path))
        issues.append(SettingsIssue(origin, "unknown key\(advice)", suggestion: near))
    }

    private mutating func report(_ node: JSONNode, _ keys: [String], _ message: String) {
        issues.append(SettingsIssue(origin(of: node, keys), message))
    }

    private func keyList(under path: ArraySlice<String>) -> String { keys(under: path).joined(separator: ", ") }

    private func keys(under path: ArraySlice<String>) -> [String] {
        Set(names.keys.filter { $0.count > path.count && $0.starts(with: path) }.map { $0[path.count] }).sorted()
    }

    private func origin(of node: JSONNode, _ keys: [String]) -> SettingOrigin {
        .file(path: path, node.position, JSONPointer(tokens: keys))
    }
}

extension JSONNode {
    /// Returns the text of a string, or of a number if the setting accepts one.
    fileprivate func text(of declaration: SettingDeclaration) -> String? {
        if let string { return string }
        if declaration.isFlag { return bool.map { String($0) } }
        guard declaration.takesNumbers else { return nil }
        return integer.map { String($0) } ?? double.map { String($0) }
    }
}

extension SettingDeclaration {
    fileprivate var expectedKind: String {
        if isList { return "an array of strings" }
        if isFlag { return "true or false" }
        return takesNumbers ? "a number" : "a string (\(placeholder))"
    }
}

extension SettingsIssue {
    fileprivate init(_ issue: JSONIssue, in path: String) {
        let advice = issue.hint.map { "; \($0)" } ?? ""
        self.init(.file(path: path, issue.position, issue.pointer), issue.discreetMessage + advice)
    }
}

extension JSONIssue {
    /// The parser's message, unless it quotes the file, which may contain a part of a secret.
    fileprivate var discreetMessage: String {
        switch code {
        case .unexpectedCharacter: "an unexpected character"
        case .duplicateKey: "a key that appears twice in this object"
        default: message
        }
    }
}
