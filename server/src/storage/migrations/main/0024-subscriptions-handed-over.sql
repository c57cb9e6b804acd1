-- recorded-as: main/0022-subscriptions-handed-over
-- Which process hears of a resource for its session, and what the one before said when another took that over.

ALTER TABLE mcp_subscriptions ADD COLUMN held_by TEXT;
ALTER TABLE mcp_subscriptions ADD COLUMN handed_over TEXT;
