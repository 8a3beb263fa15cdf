import Testing

@testable import Postgres

@Suite struct ErrorTests {
    @Test(
        "The SQLSTATE decides what the caller can do",
        arguments: [
            ("22P02", .badInput), ("22P05", .badInput), ("23502", .badInput), ("23514", .badInput), ("54001", .badInput),
            ("23503", .conflict), ("23505", .conflict), ("23P01", .conflict), ("40001", .retry), ("40P01", .retry),
            ("08006", .unavailable), ("53300", .unavailable), ("55P03", .unavailable), ("57014", .unavailable), ("57P01", .unavailable),
            ("57P02", .unavailable), ("57P03", .unavailable), ("25006", .unavailable), ("42601", .bug), ("42P01", .bug), ("0A000", .bug),
            ("P0001", .bug), ("XX000", .bug), ("", .bug),
        ] as [(String, PostgresError.Classification)])
    func classification(state: String, classification: PostgresError.Classification) {
        #expect(PostgresError(.refused, "", sqlState: SQLState(rawValue: state)).classification == classification)
    }

    @Test(
        "A message about a value shows the type but not the value, in any language",
        arguments: [
            (#"invalid input syntax for type integer: "se"cret""#, #"invalid input syntax for type integer: "•••""#),
            (#"value "secret" is out of range for type integer"#, #"value "•••" is out of range for type integer"#),
            ("integer out of range", "integer out of range"),
            (#"ungültige Eingabesyntax für Typ integer: »se"c"ret«"#, "a value was rejected: •••"),
            ("value »secret« is out of range", "a value was rejected: •••"),
        ])
    func messages(said: String, printed: String) {
        #expect(ValueRedactor.message(said, SQLState(rawValue: "22P02")) == printed)
    }

    @Test(
        "A detail shows columns but not values, in any language",
        arguments: [
            ("Key (email)=(se=(cret)) already exists.", "Key (email)=(•••) already exists."),
            ("Key (lower(email))=(secret) already exists.", "Key (lower(email))=(•••) already exists."),
            ("Key (a, b)=(1, [2,3)) conflicts with existing key (a, b)=(1, [1,9)).", "Key (a, b)=(•••)."),
            ("Failing row contains (1, x=(secret), 2).", "Failing row contains (•••)."),
            ("Partition key of the failing row contains (k) = (secret).", "Partition key of the failing row contains (•••)."),
            ("Fehlgeschlagene Zeile enthält (1, secret).", "Fehlgeschlagene Zeile enthält (•••)."),
            ("Schlüssel »(id)=(secret)« existiert bereits.", "Schlüssel »(id)=(•••)« existiert bereits."),
        ])
    func details(said: String, printed: String) {
        #expect(ValueRedactor.detail(said, SQLState(rawValue: "23505")) == printed)
    }

    @Test("A detail without a value is kept, and an unrecognized one about a value is removed")
    func otherDetails() {
        let locks = "Process 1 waits for ShareLock on transaction 2 (3); blocked by process 4."
        #expect(ValueRedactor.detail(locks, .deadlockDetected) == locks)
        #expect(ValueRedactor.detail(#"Token "secret" is invalid."#, SQLState(rawValue: "22P02")) == nil)
    }
}
