internal import Postgres

enum AccessQueries {
    static let findToken = NamedQuery("curating.find_token")
    static let noteUse = NamedQuery("curating.note_use")
    static let createToken = NamedQuery("curating.create_token")
    static let tokens = NamedQuery("curating.tokens")
    static let findTokens = NamedQuery("curating.find_tokens")
    static let token = NamedQuery("curating.token")
    static let lockToken = NamedQuery("curating.lock_token")
    static let revokeToken = NamedQuery("curating.revoke_token")
    static let record = NamedQuery("curating.record")
    static let audit = NamedQuery("curating.audit")
    static let takeKey = NamedQuery("curating.take_key")
    static let reply = NamedQuery("curating.reply")
    static let keepReply = NamedQuery("curating.keep_reply")
    static let forgetReplies = NamedQuery("curating.forget_replies")
    static let savepoint = NamedQuery("curating.savepoint")
    static let rollBack = NamedQuery("curating.roll_back")
}
