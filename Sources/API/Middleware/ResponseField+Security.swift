internal import HTTP
internal import HTTPMessages

extension [ResponseField] {
    /// Nothing that is served here is a page to be shown, framed or guessed the type of.
    static let security = [
        ResponseField("x-content-type-options", "nosniff"),
        ResponseField("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ResponseField("referrer-policy", "no-referrer"),
    ]

    /// Who came encrypted once is to come so for a year.
    static let encryption = [ResponseField("strict-transport-security", "max-age=31536000")]
}
