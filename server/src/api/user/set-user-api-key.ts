import { z } from "zod";
import { action } from "#api/kit/operation";
import { ApiKeyBody, saveApiKey, TriedConnection } from "#api/presenters/user-connection";
import { findEnds } from "./find-ends.ts";
import { ENDS } from "./schema.ts";

export const setUserApiKey = action({
  id: "setUserApiKey",
  route: "PUT /api/user/api-key",
  tag: "User API",
  summary: "Give a user's own key for an MCP server",
  description:
    "The key is tried first: one that the server refuses is not kept. When the server cannot be asked, the key is kept and `verified` is false. It takes the place of the key before, and nobody can read it again.",
  scope: "connect:write",
  query: ENDS,
  body: ApiKeyBody,
  answers: { 200: z.object({ data: TriedConnection }) },
  refusals: [400, 404],
  onCrash: "Failed to set API key",
  async run({ db, query, body: { key }, context, actor, requestId }) {
    const ends = await findEnds(db, context, query);
    const given = { ...ends, key, operation: "setUserApiKey" };
    return { status: 200, body: { data: await saveApiKey(context, given, { actor, requestId }) } };
  },
});
