import { z } from "zod";
import { write } from "#api/kit/operation";
import { invalid } from "#lib/errors";
import { makeConnectLink } from "#records/connect-links";
import { findEnds } from "./find-ends.ts";
import { ENDS } from "./schema.ts";

/** For apps that send their own users to connect: the link stands for the user, so nobody has to sign in here. */
export const getUserAuthUrl = write({
  id: "getUserAuthUrl",
  route: "GET /api/user/auth-url",
  tag: "User API",
  summary: "Get an address at which a user connects to an MCP server",
  description:
    "For servers with `proxy-oauth`. The address is good once and for ten minutes: opened in the user's browser, it leads to the server's own sign-in and ends on a page that says whether it worked. Whoever opens it connects that user, so it must reach nobody else.",
  scope: "connect:write",
  query: ENDS,
  answers: {
    200: z.object({
      data: z.object({
        url: z.string().meta({
          description: "Where to send the user's browser",
          format: "uri",
          example: "https://gatehouse.example.com/connect/link/gh_cl_…",
        }),
      }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to make an address to connect",
  async run({ tx, trail, query, context }) {
    const { user, server } = await findEnds(tx, context, query);
    if (server.auth_type !== "proxy-oauth") throw invalid("mcp", "MCP server does not use proxy-oauth");
    if (user.disabled) throw invalid("email", `user is disabled: ${user.email}`);
    const ends = { userId: user.id, serverId: server.id };
    const token = await makeConnectLink(tx, ends, { now: context.clock.now(), random: context.random });
    trail.audit({
      operation: "getUserAuthUrl",
      target: { kind: "user", id: user.id, name: user.email },
      after: { mcp: server.slug },
    });
    return { status: 200, body: { data: { url: `${context.baseUrl}/connect/link/${token}` } } };
  },
});
