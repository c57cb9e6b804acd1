import { z } from "zod";
import { action } from "#api/kit/operation";
import { TriedConnection } from "#api/presenters/user-connection";
import type { ConnectionTrial } from "#connect/connect";
import { findMyServer, MY_SERVER } from "./find-my-server.ts";

/** Finds out what a call would, without calling a tool. */
export const testMyConnection = action({
  id: "testMyConnection",
  route: "POST /api/me/test-connection",
  tag: "Me",
  summary: "Test the caller's connection to an MCP server",
  description:
    "Reads the server's tools with the caller's token or API key. A rejected token is renewed once. If that fails, the caller must reconnect.",
  scope: "any",
  callers: "people",
  query: MY_SERVER,
  answers: { 200: z.object({ data: TriedConnection }) },
  refusals: [400, 404],
  onCrash: "Failed to test connection",
  async run({ db, query, visitor, context }) {
    const { user, server } = await findMyServer(db, context, visitor, query);
    const trial = await context.tryConnection(server, user.id);
    return {
      status: 200,
      body: { data: present(trial, server.auth_type === "none" || server.auth_type === "exchanged-token") },
    };
  },
});

function present(trial: ConnectionTrial, needsNoConnection: boolean): z.input<typeof TriedConnection> {
  if (trial === "exchange_needed") {
    const message = "There is no valid token of the server's issuer; sign in to your application again";
    return { connected: false, status: "not_connected", verified: false, message };
  }
  if (typeof trial === "string") return { connected: false, status: trial, verified: false };
  const verified = trial.verdict === "accepted";
  const why = verified ? {} : { message: `The server ${trial.reason}` };
  return { connected: true, status: needsNoConnection ? "not_required" : "connected", verified, ...why };
}
