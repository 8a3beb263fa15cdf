/// How much the head of a request may have.
package struct HTTP1Limits: Sendable {
    package var headerBytes = 16_384
    package var headerCount = 100
    package var targetBytes = 8_192

    package init() {}
}
