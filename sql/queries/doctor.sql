-- The checks of `vitrine doctor` on a database.

-- name: doctor.server
-- The version is a number such as 150018.
SELECT current_setting('server_version_num')::integer AS version, clock_timestamp() AS now;
