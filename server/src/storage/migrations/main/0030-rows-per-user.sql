-- Rows that are limited per user or caller.

CREATE INDEX oauth_flows_user ON oauth_flows (user_id, expires_at);
CREATE INDEX connect_links_user ON connect_links (user_id, expires_at);
CREATE INDEX upstream_sessions_user ON upstream_sessions (user_id, used_at);
