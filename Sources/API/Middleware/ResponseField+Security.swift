internal import HTTP
internal import HTTPMessages

extension [ResponseField] {
    /// The fields of every response. The API reference is the only page, and loads its own style sheet alone.
    static let security = [
        ResponseField("x-content-type-options", "nosniff"),
        ResponseField("content-security-policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'"),
        ResponseField("referrer-policy", "no-referrer"),
    ]

    /// Who came encrypted once is to come so for a year.
    static let encryption = [ResponseField("strict-transport-security", "max-age=31536000")]
}
