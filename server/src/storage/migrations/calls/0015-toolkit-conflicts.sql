-- Another toolkit that has something under the same name as the called tool.

ALTER TABLE calls ADD COLUMN toolkit_conflict BIGINT;
