package import Testing

/// A trait that gives a suite, or each case of a test, its own database as `ScratchDatabase.current`.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    let template: ScratchDatabase.Template
    /// Whether each test of a suite has its own database.
    package var isRecursive = false

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await ScratchDatabase.run(template) { database in
            try await ScratchDatabase.$assigned.withValue(database) { try await body() }
        }
    }
}

extension Trait where Self == DatabaseTrait {
    /// The trait for a database with the schema of the product.
    package static var database: Self { Self(template: .migrated) }

    package static func database(_ template: ScratchDatabase.Template) -> Self { Self(template: template) }

    /// The trait for a suite whose tests would disturb each other in one database.
    package static var databaseForEachTest: Self { databaseForEachTest(.migrated) }

    package static func databaseForEachTest(_ template: ScratchDatabase.Template) -> Self { Self(template: template, isRecursive: true) }
}
