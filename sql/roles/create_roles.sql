-- Creates the two roles of a new database. A superuser runs it once with psql. The compose file runs it in the
-- PostgreSQL image. The passwords are in the folder that SECRETS names, /run/secrets by default.
--
-- vitrine_owner owns the database and migrates it. vitrine_server has only the rights that `vitrine db migrate --grant
-- vitrine_server` grants.
\set owner_password `cat "${SECRETS:-/run/secrets}/owner-password"`
\set server_password `cat "${SECRETS:-/run/secrets}/server-password"`
CREATE ROLE vitrine_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE vitrine_server LOGIN PASSWORD :'server_password';
ALTER DATABASE :"DBNAME" OWNER TO vitrine_owner;
