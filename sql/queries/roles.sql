-- The rights of the role that servers connect as. `vitrine db migrate --grant ROLE` grants them after the migrations.

-- name: roles.role
-- Whether $1 is a superuser, and whether it can act as the owner of the tables. Rights can restrict neither.
SELECT rolsuper AS is_superuser, pg_has_role(pg_roles.oid, relowner, 'MEMBER') AS is_owner
FROM pg_roles CROSS JOIN pg_class
WHERE rolname = $1::text AND pg_class.oid = 'vitrine.audit_entries'::regclass;

-- name: roles.choose
-- Sets the role $1 of the next statement, which has no parameters. The lock is the migrations' lock, because concurrent
-- grants fail.
SELECT set_config('vitrine.server_role', $1::text, true) AS role
FROM (SELECT pg_advisory_xact_lock(x'76697472696e65'::bigint)) AS turn;

-- name: roles.grant
-- Grants the rights that serving, curating, importing and publishing need. The audit log can only be read and appended
-- to, and the writer cannot choose its numbers and times. TRUNCATE is for the empty outbox.
DO $$
DECLARE
    statement text;
BEGIN
    FOREACH statement IN ARRAY '{
        REVOKE ALL ON ALL TABLES IN SCHEMA vitrine FROM %1$I,
        REVOKE ALL ON ALL SEQUENCES IN SCHEMA vitrine FROM %1$I,
        "GRANT USAGE ON SCHEMA vitrine, vitrine_meta TO %1$I",
        GRANT SELECT ON vitrine_meta.migrations TO %1$I,
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA vitrine TO %1$I",
        "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA vitrine TO %1$I",
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA vitrine TO %1$I,
        GRANT TRUNCATE ON vitrine.sync_outbox TO %1$I,
        REVOKE ALL ON vitrine.audit_entries FROM %1$I,
        REVOKE ALL ON SEQUENCE vitrine.audit_entries_number_seq FROM %1$I,
        "GRANT SELECT, INSERT (token, actor, action, feed, subject, before, after, request) ON vitrine.audit_entries TO %1$I"
    }'::text[] LOOP
        EXECUTE format(statement, current_setting('vitrine.server_role'));
    END LOOP;
END
$$;
