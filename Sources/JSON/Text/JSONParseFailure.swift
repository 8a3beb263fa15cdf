/// Where and why parsing stopped, before line, column and pointer are worked out.
struct JSONParseFailure: Error {
    let code: JSONIssue.Code
    let offset: Int
    let message: String
    var hint: String?
}
