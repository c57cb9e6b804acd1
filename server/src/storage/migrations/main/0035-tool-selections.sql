-- The tools of a server that a group grants, by their names at the server. `all`: every tool. `only`: these. `except`: all others.

ALTER TABLE group_servers ADD COLUMN tool_rule TEXT NOT NULL DEFAULT 'all';
ALTER TABLE group_servers ADD COLUMN tool_names JSON NOT NULL DEFAULT '[]';
ALTER TABLE group_servers ADD COLUMN selected_at BIGINT;
