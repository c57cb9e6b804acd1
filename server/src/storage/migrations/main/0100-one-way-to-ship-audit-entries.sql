-- Positions of AUDIT_FILE, which log destinations replaced (decision 0180).
DELETE FROM audit_shipping WHERE name IN ('file', 'file-checkpoints');
