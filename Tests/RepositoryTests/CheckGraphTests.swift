import Testing

@Suite("The script check-graph")
struct CheckGraphTests {
    /// A change to a valid package, and the message of the check about it.
    struct Violation: Sendable, CustomTestStringConvertible {
        let message: String
        let change: @Sendable (inout PackageTree) -> Void
        var testDescription: String { message }

        init(_ message: String, _ change: @escaping @Sendable (inout PackageTree) -> Void) {
            self.message = message
            self.change = change
        }
    }

    @Test("A valid package passes, with any text in comments and literals")
    func sound() throws {
        let result = try PackageTree().check()
        #expect(result.output == "check-graph: 12 targets and 11 edges, as declared\n")
        #expect(result.status == 0)
    }

    @Test(
        "A broken rule is named",
        arguments: [
            Violation("Host: imports Values, which Package.swift does not declare") {
                $0.files["Sources/Host/Files.swift"] = "import Values"
            },
            Violation("PublishingTests: imports JSON, which Package.swift does not declare") {
                $0.files["Tests/PublishingTests/More.swift"] = "@testable import JSON"
            },
            Violation("JSON: declares Values but does not import it") { $0.files["Sources/JSON/Text.swift"] = "// import Values" },
            Violation("Values: depends on itself indirectly") {
                $0.targets["Values"]? += " JSON"
                $0.files["Sources/Values/Word.swift"] = "import JSON"
            },
            Violation("JSON: depends on Publishing, which is in a higher layer") {
                $0.targets["JSON"]? += " Publishing"
                $0.files["Sources/JSON/More.swift"] = "import Publishing"
            },
            Violation("JSON: depends on Postgres, which is in a higher layer") {
                $0.targets["JSON"]? += " Postgres"
                $0.files["Sources/JSON/More.swift"] = "import Postgres"
            },
            Violation("vitrine: depends on Support, which is for tests") {
                $0.targets["vitrine"]? += " Support"
                $0.files["Sources/vitrine/main.swift"]? += "import Support"
            },
            Violation("Publishing: imports Foundation; only Benchmarks may") {
                $0.files["Sources/Publishing/More.swift"] = "import Foundation"
            },
            Violation("Host: imports FoundationEssentials; only Benchmarks may") {
                $0.files["Sources/Host/More.swift"] = "private import struct FoundationEssentials.Date"
            },
            Violation("JSON: imports Glibc; only Host, EventLoop, Security, Postgres and HTTP may") {
                $0.files["Sources/JSON/More.swift"] = "let x = 1; import Glibc"
            },
            Violation("Host: depends on CPostgres, which only Postgres may use") {
                $0.targets["Host"]? += " CPostgres"
                $0.files["Sources/Host/More.swift"] = "import CPostgres"
            },
            Violation("Publishing: reaches Host; stores may reach only Postgres of the shell") {
                $0.targets["Publishing"]? += " Host"
                $0.files["Sources/Publishing/More.swift"] = "import Host"
            },
            Violation("Publishing: reaches Host; stores may reach only Postgres of the shell") {
                $0.targets["JSON"]? += " Host"
                $0.files["Sources/JSON/More.swift"] = "import Host"
            },
            Violation("Layout: imports Synchronization; it may import only JSON") {
                $0.files["Sources/Layout/More.swift"] = "import Synchronization"
            },
            Violation("Sources/Publishing/More.swift:2: only VitrineClient has public declarations") {
                $0.files["Sources/Publishing/More.swift"] = "struct A {\n    public init() {}\n}"
            },
            Violation("Sources/Host/More.swift:1: only VitrineClient has public declarations") {
                $0.files["Sources/Host/More.swift"] = "@frozen public struct A {}"
            },
            Violation("Sources/Sync: belongs to no target of Package.swift") { $0.files["Sources/Sync/Cursor.swift"] = "" },
            Violation("Zebra: has no layer in scripts/check-graph") { $0.targets["Zebra"] = "library Sources/Zebra" },
            Violation("CZebra: has no owner in scripts/check-graph") { $0.targets["CZebra"] = "system-target Sources/CZebra" },
            Violation("Host: has no paragraph in docs/architecture.md") { $0.paragraphs.removeAll { $0.contains("Host") } },
            Violation("Host: exists, but docs/architecture.md marks it (to come)") { $0.paragraphs[5] = "**`Host`** (to come) f" },
            Violation("docs/architecture.md: Time is not a target and not marked (to come)") { $0.paragraphs.append("**`Time`** l") },
            Violation("Package.swift: no target was found in its description") { $0.targets = [:] },
        ])
    func violations(violation: Violation) throws {
        var tree = PackageTree()
        violation.change(&tree)
        let result = try tree.check()
        #expect(result.output.split(separator: "\n").contains("check-graph: \(violation.message)"), "\(result.output)\(result.errors)")
        #expect(result.status == 1)
    }
}
