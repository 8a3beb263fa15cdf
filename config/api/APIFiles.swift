internal import CFiles

/// The file beside this one, as it was when the program was built: what the routes answer, as OpenAPI has it.
package enum APIFiles {
    package static var openAPI: [UInt8] { unsafe Array(String(cString: cfiles_openapi).utf8) }
}
