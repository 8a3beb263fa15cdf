-- The lists of sections and their entries. A transaction cannot use a kind that it has added, so the next migration does.
ALTER TYPE published_kind ADD VALUE IF NOT EXISTS 'list' AFTER 'placement';
ALTER TYPE published_kind ADD VALUE IF NOT EXISTS 'entry' AFTER 'list';
