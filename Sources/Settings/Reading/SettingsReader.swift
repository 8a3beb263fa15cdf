internal import Values

/// A reader that gives each setting the value of its strongest source, and collects the issues of all sources.
///
/// It also checks weaker sources, so that an invalid value in the file is reported before the flag that overrides it is
/// removed.
struct SettingsReader {
    private let sources: SettingsSources
    private let file: SettingsFile?
    private(set) var declarations: [SettingDeclaration] = []
    private(set) var effective: [EffectiveSettings.Entry] = []
    private(set) var issues: [SettingsIssue]

    init(_ sources: SettingsSources, file: SettingsFile?, issues: [SettingsIssue]) {
        self.sources = sources
        self.file = file
        self.issues = issues + (file?.issues ?? [])
    }

    mutating func value<Value>(_ setting: Setting<Value>) -> Value {
        let declaration = setting.declaration
        declarations.append(declaration)
        var strongest: (value: Value, origin: SettingOrigin)?
        for given in given(declaration) {
            guard let value = setting.read(given, &issues) else { continue }
            refuseExposure(of: value, setting, given.origin)
            if strongest == nil { strongest = (value, given.origin) }
        }
        let (value, origin) = strongest ?? (setting.standard, .default)
        effective.append(.init(name: declaration.name, text: setting.write(value), origin: origin))
        return value
    }

    mutating func refuse(_ message: String) {
        issues.append(SettingsIssue(nil, message))
    }

    mutating func refuseUnknownVariables() {
        let known = Set(declarations.flatMap(\.variables)).union(sources.foreignVariables)
        let namesOfFiles = Set(declarations.map(\.name.fileVariable))
        let candidates = sources.environment.keys.filter { $0.utf8.starts(with: SettingName.variablePrefix.utf8) }
        for name in candidates.sorted() {
            guard !known.contains(name), sources.text(ofVariable: name) != nil else { continue }
            let advice = namesOfFiles.contains(name) ? "; only secrets can be in files" : ""
            issues.append(
                SettingsIssue(
                    .variable(name), "unknown variable\(advice)", suggestion: name.nearest(among: known.sorted())))
        }
    }

    /// Returns the inputs of a setting, strongest first.
    private mutating func given(_ declaration: SettingDeclaration) -> [SettingInput] {
        var all: [SettingInput] = []
        let name = declaration.name
        if let text = sources.flagText(name.flag) {
            let typed = declaration.isNegatable && text == "false" ? declaration.displayedFlag : name.flag
            all.append(SettingInput(text, from: .flag("--" + typed), isList: declaration.isList))
        }
        let text = sources.text(ofVariable: name.variable)
        if let text { all.append(SettingInput(text, from: .variable(name.variable), isList: declaration.isList)) }
        if declaration.isSecret, let path = sources.text(ofVariable: name.fileVariable) {
            if text == nil, let given = given(declaration, inFile: path) { all.append(given) }
            if text != nil {
                issues.append(SettingsIssue(.variable(name.fileVariable), "cannot be combined with \(name.variable)"))
            }
        }
        if let given = file?.given(declaration, reporting: &issues) { all.append(given) }
        return all
    }

    private mutating func given(_ declaration: SettingDeclaration, inFile path: String) -> SettingInput? {
        let origin = SettingOrigin.secretFile(variable: declaration.name.fileVariable, path: path)
        do throws(FileFailure) {
            var bytes = try sources.readFile(path)
            while bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                issues.append(SettingsIssue(origin, "expected a UTF-8 file"))
                return nil
            }
            return SettingInput(text, from: origin, isList: declaration.isList)
        } catch {
            issues.append(SettingsIssue(origin, "expected a readable file: \(error.reason)"))
            return nil
        }
    }

    private mutating func refuseExposure<Value>(of value: Value, _ setting: Setting<Value>, _ origin: SettingOrigin) {
        guard case .flag = origin, let isConfidential = setting.isConfidential, isConfidential(value) else { return }
        let name = setting.declaration.name
        issues.append(
            SettingsIssue(
                origin,
                "other users can see the secret on the command line; use \(name.variable), or \(name.fileVariable) with the path of a file"
            ))
    }
}
