-- Separate from the constraint, because the validation reads the whole table and must not stop reads and writes.
ALTER TABLE published VALIDATE CONSTRAINT published_item_id_check;
