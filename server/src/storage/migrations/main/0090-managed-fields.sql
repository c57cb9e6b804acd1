-- The fields that files declare, separated by commas. Only these are locked.
ALTER TABLE managed_objects ADD COLUMN fields TEXT NOT NULL DEFAULT '';
