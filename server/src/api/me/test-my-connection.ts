import { z } from "zod";
import { action } from "#api/kit/operation";
import { TriedConnection } from "#api/presenters/user-connection";
import type { ConnectionTrial } from "#connect/connect";
import { findMyEnds, MY_ENDS } from "./my-ends.ts";

/** What a call would find out, without calling a tool. */
export const testMyConnection = action({
  id: "testMyConnection",
  route: "POST /api/me/test-connection",
  tag: "Me",
  summary: "Ask an MCP server whether it takes what the caller gave for it",
  description:
    "The server's lists are read as the caller. A token that it refuses is renewed once; where that does not help, the caller must connect again.",
  scope: "any",
  callers: "people",
  query: MY_ENDS,
  answers: { 200: z.object({ data: TriedConnection }) },
  refusals: [400, 404],
  onCrash: "Failed to test connection",
  async run({ db, query, visitor, context }) {
    const { user, server } = await findMyEnds(db, context, visitor, query);
    const trial = await context.tryConnection(server, user.id);
    return { status: 200, body: { data: present(trial, server.auth_type === "none") } };
  },
});

function present(trial: ConnectionTrial, isOpen: boolean): z.input<typeof TriedConnection> {
  if (typeof trial === "string") return { connected: false, status: trial, verified: false };
  const verified = trial.verdict === "accepted";
  const why = verified ? {} : { message: `The server ${trial.words}` };
  return { connected: true, status: isOpen ? "not_required" : "connected", verified, ...why };
}
