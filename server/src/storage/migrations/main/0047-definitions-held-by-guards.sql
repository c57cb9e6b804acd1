-- Build-time guards hold definitions of tools, prompts, resources and instructions when they are synced.

-- The guard and the check, as JSON. NULL: no guard holds the definition.
ALTER TABLE server_tools ADD COLUMN blocked_by JSON;
-- A digest of the guards that evaluated the definition. NULL: it must be evaluated at the next sync.
ALTER TABLE server_tools ADD COLUMN guards_key TEXT;
-- The digest of the definition that an admin accepted in a review. Guards do not hold it.
ALTER TABLE server_tools ADD COLUMN reviewed_digest TEXT;

ALTER TABLE server_items ADD COLUMN blocked_by JSON;
ALTER TABLE server_items ADD COLUMN guards_key TEXT;
ALTER TABLE server_items ADD COLUMN reviewed_digest TEXT;
