-- recorded-as: main/0020-tool-search
-- What the search looks through: the tool's slug and title, folded and cut by us (SQLite lowers ASCII only; the next
-- reading of a server's tools mends that). The index holds all that a search reads, so that it passes by the definitions.

ALTER TABLE server_tools ADD COLUMN search_text TEXT NOT NULL DEFAULT '';
UPDATE server_tools SET search_text = substr(lower(slug || '
' || title), 1, 400);
CREATE INDEX server_tools_search ON server_tools (listed, search_text, server_id, upstream_name);
