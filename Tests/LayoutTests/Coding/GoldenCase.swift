import Foundation
import JSON
import Layout
import TestSupport

/// A case of the folder `Goldens` as text, with its layouts in canonical form.
struct GoldenCase {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Goldens")

    static func names() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        return try nonEmpty(files, "cases in Goldens").map { String($0.dropLast(5)) }.sorted()
    }

    let document: JSONDocument

    init(_ name: String) throws {
        let text = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
        document = try JSONDocument(parsing: Array(text), limits: JSONLimits(bytes: 1 << 20))
    }

    var environment: LayoutEnvironment {
        get throws { try LayoutEnvironment(parsing: document.root["environment"]?.canonical() ?? []) }
    }

    var layouts: [[UInt8]] { document.root["layouts"]?.elements.map { $0.canonical() } ?? [] }
}
