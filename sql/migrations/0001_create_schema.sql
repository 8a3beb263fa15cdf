-- Everything of the product lives in one schema; what is dropped and restored with it is complete.
CREATE SCHEMA vitrine;

COMMENT ON SCHEMA vitrine IS 'The catalog, its feeds and what is published of them.';

-- Both are trusted, so the owner of the database may create them without being a superuser. They stay outside of the schema: extensions
-- belong to the database, and may be there already.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;
