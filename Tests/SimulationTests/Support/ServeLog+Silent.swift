import Settings
import Testing

@testable import Server

extension ServeLog {
    /// Creates a log that discards everything.
    static func silent() throws -> ServeLog {
        let sources = SettingsSources(flagText: { _ in nil }, environment: ["VITRINE_LOG_LEVEL": "error"]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
        return ServeLog(try LogOutput(try Settings.load(from: sources).settings.log, isColored: false))
    }
}
