-- Separate from the constraints, because the validation reads the whole table and must not stop reads and writes.
ALTER TABLE published VALIDATE CONSTRAINT published_item_id_check;
ALTER TABLE published VALIDATE CONSTRAINT published_lists_check;
