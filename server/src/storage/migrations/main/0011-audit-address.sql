-- Where the caller of a write came from; null for what nobody called for.
ALTER TABLE audit ADD COLUMN ip TEXT;
