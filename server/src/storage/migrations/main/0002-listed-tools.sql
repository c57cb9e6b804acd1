-- False: the upstream no longer lists the tool, which is kept only because it was switched off.
ALTER TABLE server_tools ADD COLUMN listed BOOLEAN NOT NULL DEFAULT TRUE;
