-- Fluent forward proves a shared key by a digest, which cannot be checked against a hash of the key. The token of a source
-- that was made for it is therefore kept sealed as well (the key to it is not in the database), and found by its beginning.
-- It goes with its row when the source is revoked.
alter table ingest_token add column prefix text, add column sealed text;
create index ingest_token_prefix on ingest_token (prefix) where prefix is not null;
