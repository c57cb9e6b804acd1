-- A report with the same content as the last one changes only times. NULL: no report was applied since the update.
ALTER TABLE discovery_devices ADD COLUMN content_digest TEXT;
-- When the last report with other content was applied. Its instances were seen with every report since then.
ALTER TABLE discovery_devices ADD COLUMN content_at BIGINT NOT NULL DEFAULT 0;
-- Until when expired rules were taken into account.
ALTER TABLE discovery_policy ADD COLUMN expiries_until BIGINT NOT NULL DEFAULT 0;
