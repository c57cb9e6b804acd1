-- Prompts, resources and resource templates are pinned like tools. An empty digest: read by a release that did not pin them.

ALTER TABLE server_items ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE server_items ADD COLUMN pin TEXT NOT NULL DEFAULT 'accepted';
ALTER TABLE server_items ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE server_items ADD COLUMN pinned_digest TEXT;
ALTER TABLE server_items ADD COLUMN pinned_definition TEXT;
ALTER TABLE server_items ADD COLUMN rejected_digest TEXT;
ALTER TABLE server_items ADD COLUMN unseen JSON NOT NULL DEFAULT '[]';
