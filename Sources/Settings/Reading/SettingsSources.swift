/// Everything that settings are read from.
package struct SettingsSources {
    package typealias ReadFile = (String) throws(FileFailure) -> [UInt8]

    /// What was typed for a flag, named without its dashes.
    let flagText: (String) -> String?
    let environment: [String: String]
    /// The names beginning with `VITRINE_` that other parts of the program read.
    let foreignVariables: Set<String>
    let readFile: ReadFile

    package init(
        flagText: @escaping (String) -> String?, environment: [String: String], foreignVariables: Set<String> = [],
        readFile: @escaping ReadFile
    ) {
        self.flagText = flagText
        self.environment = environment
        self.foreignVariables = foreignVariables
        self.readFile = readFile
    }

    /// Where nothing is given.
    static var none: SettingsSources {
        SettingsSources(flagText: { _ in nil }, environment: [:]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
    }

    /// The text of a variable; an empty one counts as absent.
    func text(ofVariable name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Shows nothing of the environment, which holds secrets.
extension SettingsSources: CustomStringConvertible, CustomReflectable {
    package var description: String { "SettingsSources" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
