import { z } from "zod";
import { action } from "#api/kit/operation";
import { ApiKeyBody, saveApiKey, TriedConnection } from "#api/presenters/user-connection";
import { findMyEnds, MY_ENDS } from "./my-ends.ts";

export const setMyApiKey = action({
  id: "setMyApiKey",
  route: "PUT /api/me/api-key",
  tag: "Me",
  summary: "Give the caller's own key for an MCP server",
  description:
    "The key is tried first: one that the server refuses is not kept. When the server cannot be asked, the key is kept and `verified` is false. It takes the place of the key before, and nobody can read it again.",
  scope: "any",
  callers: "people",
  query: MY_ENDS,
  body: ApiKeyBody,
  answers: { 200: z.object({ data: TriedConnection }) },
  refusals: [400, 404],
  onCrash: "Failed to set API key",
  async run({ db, query, body: { key }, visitor, context, actor, requestId }) {
    const ends = await findMyEnds(db, context, visitor, query);
    const given = { ...ends, key, operation: "setMyApiKey" };
    return { status: 200, body: { data: await saveApiKey(context, given, { actor, requestId }) } };
  },
});
