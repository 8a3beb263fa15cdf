/// The names that libpq takes in a URL's query, up to version 18; those of the host, the user and the database are read apart.
enum LibpqParameters {
    /// Their values are never shown.
    static let secret: Set = ["password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"]

    static let open: Set = [
        "application_name", "channel_binding", "client_encoding", "connect_timeout", "fallback_application_name", "gssdelegation",
        "gssencmode", "gsslib", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname",
        "load_balance_hosts", "max_protocol_version", "min_protocol_version", "oauth_client_id", "oauth_issuer", "oauth_scope", "options",
        "passfile", "replication", "require_auth", "requirepeer", "requiressl", "service", "ssl", "ssl_max_protocol_version",
        "ssl_min_protocol_version", "sslcert", "sslcertmode", "sslcompression", "sslcrl", "sslcrldir", "sslkey", "sslkeylogfile",
        "sslmode", "sslnegotiation", "sslrootcert", "sslsni", "target_session_attrs", "tcp_user_timeout",
    ]
}
