/// Where and why parsing stopped, before line, column and pointer are worked out.
struct JSONFault: Error {
    let code: JSONMistake.Code
    let offset: Int
    let message: String
    var hint: String?
}
