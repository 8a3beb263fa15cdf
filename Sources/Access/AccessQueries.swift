package import Postgres

/// The queries of who may do what and of what was done, looked up once.
package struct AccessQueries: Sendable {
    let findToken, noteUse, createToken, tokens, findTokens, token, lockToken, revokeToken: NamedQuery
    let record, audit: NamedQuery
    let takeKey, reply, keepReply, forgetReplies, savepoint, rollBack: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        findToken = try library.query("curating.find_token")
        noteUse = try library.query("curating.note_use")
        createToken = try library.query("curating.create_token")
        tokens = try library.query("curating.tokens")
        findTokens = try library.query("curating.find_tokens")
        token = try library.query("curating.token")
        lockToken = try library.query("curating.lock_token")
        revokeToken = try library.query("curating.revoke_token")
        record = try library.query("curating.record")
        audit = try library.query("curating.audit")
        takeKey = try library.query("curating.take_key")
        reply = try library.query("curating.reply")
        keepReply = try library.query("curating.keep_reply")
        forgetReplies = try library.query("curating.forget_replies")
        savepoint = try library.query("curating.savepoint")
        rollBack = try library.query("curating.roll_back")
    }
}
