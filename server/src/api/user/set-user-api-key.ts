import { z } from "zod";
import { action } from "#api/kit/operation";
import { ApiKeyBody, saveApiKey, TriedConnection } from "#api/presenters/user-connection";
import { findUserAndServer } from "./find-user-and-server.ts";
import { USER_AND_SERVER } from "./schema.ts";

export const setUserApiKey = action({
  id: "setUserApiKey",
  route: "PUT /api/user/api-key",
  tag: "User API",
  summary: "Set a user's API key for an MCP server",
  description:
    "Tests the key first and rejects a key that the server rejects. If the server is unavailable, the key is stored and `verified` is false. Replaces the previous key. The key cannot be read later.",
  scope: "connect:write",
  query: USER_AND_SERVER,
  body: ApiKeyBody,
  answers: { 200: z.object({ data: TriedConnection }) },
  refusals: [400, 404],
  onCrash: "Failed to set API key",
  async run({ db, query, body: { key }, context, actor, requestId }) {
    const target = await findUserAndServer(db, context, query);
    const given = { ...target, key, operation: "setUserApiKey" };
    return { status: 200, body: { data: await saveApiKey(context, given, { actor, requestId }) } };
  },
});
