package import JSON

/// What becomes of a request: the frames, or the first thing that is wrong with it.
package enum SolveAnswer: Sendable {
    case solved(SolvedPage)
    case refused(code: String, pointer: JSONPointer, message: String)

    /// Reads and solves a request; whatever the text is, there is an answer.
    package init(to source: [UInt8], limits: JSONLimits = .solving) {
        do throws(JSONError) {
            let request = try SolveRequest(parsing: source, limits: limits)
            do throws(LayoutError) {
                self = .solved(try request.solve())
            } catch {
                self = .refused(
                    code: error.code.text, pointer: request.pointer(to: error), message: "the layout cannot be solved on this screen")
            }
        } catch {
            let mistake = error.mistakes[0]
            let advice = mistake.hint.map { "; \($0)" } ?? ""
            self = .refused(code: mistake.code.rawValue, pointer: mistake.pointer, message: mistake.message + advice)
        }
    }
}

extension SolveAnswer: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        switch self {
        case .solved(let page): page.encode(to: &json)
        case .refused(let code, let pointer, let message):
            json.object { json in
                json.member("error") { json in
                    json.member("code", code)
                    json.member("pointer", pointer.description)
                    json.member("message", message)
                }
            }
        }
    }
}

extension SolveRequest {
    fileprivate func pointer(to error: LayoutError) -> JSONPointer {
        guard let section = error.section else { return .root }
        var pointer = JSONPointer.root.appending("layouts").appending(section % layouts.count).appending("group")
        for index in error.path {
            pointer.append("subitems")
            pointer.append(index)
        }
        return pointer
    }
}

extension JSONLimits {
    /// A layout for each of many sections.
    package static let solving = JSONLimits(bytes: 1 << 20, depth: 64)
}
