import { z } from "zod";
import { write } from "#api/kit/operation";
import { invalid } from "#lib/errors";
import { makeConnectLink } from "#records/connect-links";
import { findUserAndServer } from "./find-user-and-server.ts";
import { USER_AND_SERVER } from "./schema.ts";

/** For applications that embed Gatehouse. The link identifies the user, so the user does not sign in here. */
export const getUserAuthUrl = write({
  id: "getUserAuthUrl",
  route: "GET /api/user/auth-url",
  tag: "User API",
  summary: "Create a connect link for a user",
  description:
    "For servers with `proxy-oauth`. The link works once and expires after 10 minutes. It opens the server's sign-in page and ends on a page with the result. Anyone who opens the link connects that user's account, so send it only to the user.",
  scope: "connect:write",
  query: USER_AND_SERVER,
  answers: {
    200: z.object({
      data: z.object({
        url: z.string().meta({
          description: "The connect link, to open in the user's browser",
          format: "uri",
          example: "https://gatehouse.example.com/connect/link/gh_cl_…",
        }),
      }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to create connect link",
  async run({ tx, trail, query, context }) {
    const { user, server } = await findUserAndServer(tx, context, query);
    if (server.auth_type !== "proxy-oauth") throw invalid("mcp", "MCP server does not use proxy-oauth");
    if (user.disabled) throw invalid("email", `user is disabled: ${user.email}`);
    const target = { userId: user.id, serverId: server.id };
    const token = await makeConnectLink(tx, target, { now: context.clock.now(), random: context.random });
    trail.audit({
      operation: "getUserAuthUrl",
      target: { kind: "user", id: user.id, name: user.email },
      after: { mcp: server.slug },
    });
    return { status: 200, body: { data: { url: `${context.baseUrl}/connect/link/${token}` } } };
  },
});
