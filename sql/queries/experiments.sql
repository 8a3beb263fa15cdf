-- The registry of experiments and its holdout.

-- name: experiments.list
-- Returns the experiments with the keys $1, or all of them if it is NULL.
SELECT key, salt, arms::text AS arms, default_arm, state::text AS state, winner
FROM vitrine.experiments
WHERE $1::text[] IS NULL OR key = ANY ($1::text[])
ORDER BY key COLLATE "C";

-- name: experiments.holdout
SELECT salt, share FROM vitrine.holdouts;

-- name: experiments.lock
-- Excludes other changes of the registry until the end of the transaction. Readers do not wait.
LOCK TABLE vitrine.experiments IN SHARE ROW EXCLUSIVE MODE;

-- name: experiments.lock_row
-- Waits for the publications that hold the experiment $1, so that the next query sees them.
SELECT key FROM vitrine.experiments WHERE key = $1::text FOR UPDATE;

-- name: experiments.hold
-- Holds the experiments with the keys $1 as they are until the end of the transaction, which publishes a revision that
-- names them.
SELECT key FROM vitrine.experiments WHERE key = ANY ($1::text[]) ORDER BY key FOR SHARE;

-- name: experiments.save
INSERT INTO vitrine.experiments (key, salt, arms, default_arm, state, winner)
VALUES ($1::text, $2::text, $3::jsonb, $4::text, $5::text::vitrine.experiment_state, $6::text)
ON CONFLICT (key) DO UPDATE SET
    salt = excluded.salt, arms = excluded.arms, default_arm = excluded.default_arm, state = excluded.state, winner = excluded.winner;

-- name: experiments.delete
DELETE FROM vitrine.experiments WHERE key = $1::text;

-- name: experiments.set_holdout
INSERT INTO vitrine.holdouts (salt, share)
VALUES ($1::text, $2::integer)
ON CONFLICT (is_only) DO UPDATE SET salt = excluded.salt, share = excluded.share;

-- name: experiments.uses
-- Returns the arms of the experiment $1 that live or scheduled revisions name, with their feeds.
SELECT feed, arm FROM vitrine.experiment_uses($1::text);
