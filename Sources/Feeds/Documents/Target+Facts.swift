extension Target {
    /// Whether it asks something that not every client says of itself.
    package var asksClients: Bool { !platforms.isEmpty || appVersion != nil || os != nil || !tags.isEmpty || bucket != nil }
}
