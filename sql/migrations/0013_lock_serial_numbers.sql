-- An import gives serial numbers behind the highest one that is committed, so that one that was interrupted gives the same ones as one that was
-- not. A number that a sequence has given to a transaction which is still open was given twice then. So whoever takes one from the sequence holds
-- a lock that many may share, until its transaction ends, and an import takes that lock alone.
CREATE FUNCTION next_serial_number() RETURNS bigint LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7234017283807667302);
    RETURN nextval('vitrine.item_serial_numbers');
END
$$;

ALTER TABLE items ALTER COLUMN serial_number SET DEFAULT next_serial_number();
