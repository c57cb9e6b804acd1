-- Who created an API token, and the person who is responsible for a token or an invitation: its creator, or the person who is
-- responsible for the token that created it. Null: unknown, or the operator.

ALTER TABLE api_tokens ADD COLUMN creator_id TEXT;
ALTER TABLE api_tokens ADD COLUMN responsible_id TEXT;
ALTER TABLE invitations ADD COLUMN responsible_id TEXT;
CREATE INDEX api_tokens_responsible ON api_tokens (responsible_id);
CREATE INDEX invitations_responsible ON invitations (responsible_id);

UPDATE api_tokens SET creator_id = made.actor_id
FROM (SELECT target_id, MIN(actor_id) AS actor_id FROM audit WHERE operation = 'createApiToken' GROUP BY target_id) AS made
WHERE made.target_id = api_tokens.id;

UPDATE api_tokens SET responsible_id = root.person
FROM (
  WITH RECURSIVE chain (token, creator) AS (
    SELECT id, creator_id FROM api_tokens
    UNION
    SELECT chain.token, api_tokens.creator_id FROM chain JOIN api_tokens ON api_tokens.id = chain.creator
  )
  SELECT token, MIN(creator) AS person FROM chain WHERE creator LIKE 'usr%' GROUP BY token
) AS root
WHERE root.token = api_tokens.id;

UPDATE invitations SET responsible_id = created_by WHERE created_by LIKE 'usr%';
UPDATE invitations SET responsible_id = (SELECT responsible_id FROM api_tokens WHERE api_tokens.id = invitations.created_by)
WHERE created_by LIKE 'tok%';
