-- The last revision whose changes of users and groups were taken into account by the policy of AI discovery.
ALTER TABLE discovery_policy ADD COLUMN followed_revision BIGINT NOT NULL DEFAULT 0;
