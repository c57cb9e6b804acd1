import { z } from "zod";
import { action } from "#api/kit/operation";
import { ApiKeyBody, saveApiKey, TriedConnection } from "#api/presenters/user-connection";
import { findMyServer, MY_SERVER } from "./find-my-server.ts";

export const setMyApiKey = action({
  id: "setMyApiKey",
  route: "PUT /api/me/api-key",
  tag: "Me",
  summary: "Set the caller's API key for an MCP server",
  description:
    "Tests the key first and rejects a key that the server rejects. If the server is unavailable, the key is stored and `verified` is false. Replaces the previous key. The key cannot be read later.",
  scope: "any",
  callers: "people",
  query: MY_SERVER,
  body: ApiKeyBody,
  answers: { 200: z.object({ data: TriedConnection }) },
  refusals: [400, 404],
  onCrash: "Failed to set API key",
  async run({ db, query, body: { key }, visitor, context, actor, requestId }) {
    const target = await findMyServer(db, context, visitor, query);
    const given = { ...target, key, operation: "setMyApiKey" };
    return { status: 200, body: { data: await saveApiKey(context, given, { actor, requestId }) } };
  },
});
