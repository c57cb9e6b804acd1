import { z } from "zod";
import { action } from "#api/http/operation";
import { invalid, notFound } from "#lib/errors";
import { saveConnection } from "#records/connections";
import { findServerById, keyHeader, lockServer, movesCredentials } from "#records/mcp-servers";
import { writeTransaction } from "#storage/transaction";
import { findEnds } from "./find-ends.ts";
import { Connected, ENDS, SetUserApiKeyBody } from "./schema.ts";

/** D23. The key is tried before it is kept, and the server is asked outside of any transaction. */
export const setUserApiKey = action({
  id: "setUserApiKey",
  route: "PUT /api/user/api-key",
  tag: "User API",
  summary: "Give a user's own key for an MCP server",
  description:
    "The key is tried first: one that the server refuses is not kept. When the server cannot be asked, the key is kept and `verified` is false. It takes the place of the key before, and nobody can read it again.",
  scope: "connect:write",
  query: ENDS,
  body: SetUserApiKeyBody,
  answers: {
    200: z.object({
      data: Connected.extend({
        verified: z.boolean().describe("Whether the server took the key"),
        message: z.string().optional().describe("Why the key could not be tried"),
      }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to set API key",
  async run({ db, query, body: { key }, world, actor, requestId }) {
    const { user, server } = await findEnds(db, world, query);
    if (server.auth_type !== "proxy-api-key") throw invalid("mcp", "the server takes no API keys");
    const trial = await world.tryHeaders(server, keyHeader(server.auth_settings, key));
    if (trial.verdict === "refused") throw invalid("key", `the server ${trial.words}`);
    const { vault, clock, newId } = world;
    const { revision } = await writeTransaction({ db, clock, newId }, { actor, requestId }, async (tx, trail) => {
      const present = await findServerById(tx, server.id);
      const locked = present && (await lockServer(tx, present.slug));
      // AZ-8: a key that was given for one place must not go to another.
      if (!locked || movesCredentials(server, locked)) throw notFound.mcpServer();
      const secret = { kind: "api_key", key } as const;
      const now = clock.now();
      await saveConnection(tx, trail, { user, server: locked, secret, operation: "setUserApiKey", now, newId, vault });
    });
    if (revision !== undefined) await world.obeyed(revision);
    world.syncSoon(server.id, user.id);
    const verified = trial.verdict === "accepted";
    const why = verified ? {} : { message: `The key was kept, but not tried: the server ${trial.words}` };
    return { status: 200, body: { data: { connected: true, status: "connected" as const, verified, ...why } } };
  },
});
