-- The ID that an identity provider or another system has for a user. NULL: none.
ALTER TABLE users ADD COLUMN external_id TEXT;
-- Two kinds of user can have equal IDs: subjects of workloads and IDs of people come from different systems.
CREATE UNIQUE INDEX users_external_id_key ON users (is_machine_user, external_id) WHERE external_id IS NOT NULL;
