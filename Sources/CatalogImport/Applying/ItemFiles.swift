internal import Values

/// The files of the rows of items, by table.
struct ItemFiles: Sendable {
    private var files = Array(repeating: CopyFile(), count: ItemTable.allCases.count)

    /// Creates the files of all new and changed items of a plan. A changed item already has a row in `items`.
    init(_ plan: ItemPlan) {
        for (item, id) in plan.changed { append(item.rows, CopyColumns.EncodedID(id)) }
        for (item, number) in plan.new {
            let id = CopyColumns.EncodedID(item.id)
            append(item.rows, id, identity: (number, item.contentHash))
            if let line = item.storedLine {
                startRow(of: .lines, id)
                self[.lines].columns.digest(line)
            }
        }
        for index in files.indices { files[index].end() }
    }

    private(set) subscript(table: ItemTable) -> CopyFile {
        get { files[Int(table.rawValue)] }
        _modify { yield &files[Int(table.rawValue)] }
    }

    /// Appends the rows of an item. Without a serial number and a hash, `items` gets none.
    private mutating func append(_ rows: ItemRows, _ id: CopyColumns.EncodedID, identity: (number: Int64, hash: [UInt8])? = nil) {
        for (table, columns) in rows {
            if table == .items {
                guard let identity else { continue }
                startRow(of: table, id)
                self[table].columns.big(Int(identity.number))
                self[table].columns.digest(identity.hash)
            } else {
                startRow(of: table, id)
            }
            self[table].columns.append(rows.bytes.span.extracting(columns))
        }
    }

    private mutating func startRow(of table: ItemTable, _ id: CopyColumns.EncodedID) {
        self[table].startRow(table.columnCount)
        self[table].columns.id(id)
    }
}
