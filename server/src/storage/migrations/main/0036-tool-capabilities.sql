-- The client capabilities without which the upstream does not list the tool. Empty for most tools.

ALTER TABLE server_tools ADD COLUMN required_capabilities JSON NOT NULL DEFAULT '[]';
