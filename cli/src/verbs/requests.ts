import type { Schemas } from "#openapi/types";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { LIMIT, type Noun, SEARCH, verb } from "../verb.ts";

const COLUMNS: Columns<Schemas["AccessRequest"]> = {
  ID: (request) => request.id,
  USER: (request) => request.email,
  SERVER: (request) => request.server,
  TOOLS: (request) => (request.tools.length === 0 ? "all" : request.tools.join(", ")),
  STATUS: (request) => request.status,
  REASON: (request) => request.reason,
};

const NOTE = { type: "text", hint: "text", description: "a note for the person" } as const;

const list = verb({
  description: "List access requests, pending ones first",
  options: {
    status: {
      type: "choice",
      choices: ["pending", "approved", "denied", "withdrawn"],
      description: "only requests with this status",
    },
    search: SEARCH,
    limit: LIMIT,
  },
  example: "gatehouse requests list --status pending",
  async run({ api, options: { status, search, limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listAccessRequests({ query: { status, search, ...page } }));
    out.list(rows, COLUMNS, "No access requests.");
  },
});

const approve = verb({
  description: "Approve an access request through a group",
  args: ["request", "group"],
  options: {
    grant: { type: "flag", description: "add what was requested to the group, for all its members" },
    create: { type: "flag", description: "create the group if it does not exist, with what was requested" },
    note: NOTE,
  },
  example: "gatehouse requests approve acr_01kc5v6q3zt9x4m2e8h7d5n1pw Engineering",
  async run({ api, args, options, out }) {
    const { grant, create, note } = options;
    const body = { group: args.group, ...given({ grant, create_group: create, note }) };
    const { data } = await api().approveAccessRequest({ path: { id: args.request }, body });
    out.say(`Approved: ${data.email} has access to ${data.server} through group \`${data.group}\`.`);
    out.record(data);
  },
});

const deny = verb({
  description: "Deny an access request",
  args: ["request"],
  options: { note: NOTE },
  example: 'gatehouse requests deny acr_01kc5v6q3zt9x4m2e8h7d5n1pw --note "Use the dashboard instead"',
  async run({ api, args, options, out }) {
    const { data } = await api().denyAccessRequest({ path: { id: args.request }, body: given(options) });
    out.say(`Denied the request of ${data.email} for ${data.server}.`);
    out.record(data);
  },
});

export const requests: Noun = {
  description: "Requests of people for access to servers and tools",
  verbs: { list, approve, deny },
  example: "gatehouse requests list --status pending",
};
