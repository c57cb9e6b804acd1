-- The toolkit that a call was made with, and the name under which it exposes the tool if the server has another one.

ALTER TABLE calls ADD COLUMN toolkit BIGINT;
ALTER TABLE calls ADD COLUMN exposed_tool BIGINT;
