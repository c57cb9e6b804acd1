import type { Schemas } from "#openapi/types";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { LIMIT, type Noun, SEARCH, verb } from "../verb.ts";

const COLUMNS: Columns<Schemas["ApprovalEntry"]> = {
  ID: (approval) => approval.id,
  USER: (approval) => approval.user_email,
  TOOL: (approval) => `${approval.server_slug}__${approval.tool}`,
  GUARD: (approval) => approval.guard_slug,
  STATUS: (approval) => approval.status,
  EXPIRES: (approval) => approval.expires_at,
};

const EXAMPLE_ID = "apr_01kc5v6q3zt9x4m2e8h7d5n1pw";
const NOTE = { type: "text", hint: "text", description: "a note for the caller and for the history" } as const;

const list = verb({
  description: "List calls that wait for an approval, then decided ones",
  options: {
    status: {
      type: "choice",
      choices: ["pending", "approved", "denied", "expired", "decided"],
      description: "only approvals with this status; decided: all that are not pending",
    },
    user: { type: "text", hint: "email", description: "only calls of this user" },
    tool: { type: "text", hint: "name", description: "only calls of this tool" },
    guard: { type: "text", hint: "slug", description: "only calls that this guard held" },
    search: SEARCH,
    limit: LIMIT,
  },
  example: "gatehouse approvals list --status pending",
  async run({ api, options: { limit, ...query }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listApprovals({ query: { ...query, ...page } }));
    out.list(rows, COLUMNS, "No approvals.");
  },
});

const show = verb({
  description: "Show a held call with its exact arguments",
  args: ["approval"],
  example: `gatehouse approvals show ${EXAMPLE_ID}`,
  async run({ api, args, out }) {
    const { data } = await api().getApproval({ path: { id: args.approval } });
    out.record(data);
  },
});

const approve = verb({
  description: "Approve a held call, once and with exactly its arguments",
  args: ["approval"],
  options: { note: NOTE },
  example: `gatehouse approvals approve ${EXAMPLE_ID}`,
  async run({ api, args, options, out }) {
    const { data } = await api().decideApproval({
      path: { id: args.approval },
      body: { decision: "approve", ...given(options) },
    });
    out.say(`Approved: ${data.user_email} can call ${data.server_slug}__${data.tool} once with these arguments.`);
    out.record(data);
  },
});

const deny = verb({
  description: "Deny a held call",
  args: ["approval"],
  options: { note: NOTE },
  example: `gatehouse approvals deny ${EXAMPLE_ID} --note "Ask finance first"`,
  async run({ api, args, options, out }) {
    const { data } = await api().decideApproval({
      path: { id: args.approval },
      body: { decision: "deny", ...given(options) },
    });
    out.say(`Denied the call of ${data.server_slug}__${data.tool} by ${data.user_email}.`);
    out.record(data);
  },
});

export const approvals: Noun = {
  description: "Calls that guards hold until a person approves them",
  verbs: { list, show, approve, deny },
  example: "gatehouse approvals list --status pending",
};
