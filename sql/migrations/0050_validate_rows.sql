-- Separate from the constraints, because the validation reads whole tables and must not stop reads and writes. Only older rows
-- that violated the constraints of migration 10 or 29 are not valid.
DO $$
DECLARE
    added record;
BEGIN
    FOR added IN
        SELECT conrelid::regclass AS owner, conname FROM pg_constraint
        WHERE connamespace = 'vitrine'::regnamespace AND NOT convalidated
    LOOP
        BEGIN
            EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', added.owner, added.conname);
        EXCEPTION WHEN check_violation THEN
            RAISE WARNING '% has older rows that violate %', added.owner, added.conname;
        END;
    END LOOP;
END
$$;
