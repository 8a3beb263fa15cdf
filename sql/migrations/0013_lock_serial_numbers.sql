-- An import assigns serial numbers after the highest committed one, so that an interrupted import assigns the same
-- numbers as one without interruption. It could assign a number that the sequence has given to an open transaction. A
-- transaction that takes a number from the sequence therefore holds a shared lock until its end, and an import takes
-- that lock exclusively.
CREATE FUNCTION next_serial_number() RETURNS bigint LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7234017283807667302);
    RETURN nextval('vitrine.item_serial_numbers');
END
$$;

ALTER TABLE items ALTER COLUMN serial_number SET DEFAULT next_serial_number();
