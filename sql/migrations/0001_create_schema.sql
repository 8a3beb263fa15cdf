-- One schema contains everything of the product, so that it can be dropped and restored as a whole.
CREATE SCHEMA vitrine;

COMMENT ON SCHEMA vitrine IS 'The catalog, its feeds and the published documents.';

-- Both extensions are trusted, so the owner of the database can create them without being a superuser. They are outside
-- of the schema, because extensions belong to the database and may already exist.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;
