extension FindingCollector {
    /// Notes why a layout cannot be solved.
    mutating func note(_ error: LayoutError) {
        note(Finding.Code(error.code), at: error.path.map { .group($0) } ?? [], error.sentence)
    }
}

extension Finding.Code {
    fileprivate init(_ code: LayoutError.Code) {
        self =
            switch code {
            case .noRoom: .noRoom
            case .zeroExtent: .zeroExtent
            case .tooManySlots: .tooManySlots
            case .tooManyItems: .tooManyItems
            case .tooManySubitems: .tooManySubitems
            case .tooDeep: .tooDeep
            case .emptyGroup: .emptyGroup
            }
    }
}
