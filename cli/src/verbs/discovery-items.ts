import type { Client } from "#openapi/client";
import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { LIMIT, verb } from "../verb.ts";

/** Verbs about one discovered item, whatever its kind. */

const REVIEW_OPTIONS = {
  status: {
    type: "choice",
    choices: ["unreviewed", "approved", "rejected", "ignored"],
    description: "result of the review",
  },
  note: { type: "text", hint: "text", description: "a note" },
} as const;

type Review = Schemas["DiscoveredSkill"]["review_status"];

interface ReviewBody {
  readonly review_status?: Review | undefined;
  readonly note?: string | undefined;
}

function reviewVerb<const Name extends "fingerprint" | "digest" | "id">(
  what: string,
  name: Name,
  example: string,
  update: (api: Client, key: string, body: ReviewBody) => Promise<{ readonly data: { readonly name: string } }>,
) {
  return verb({
    description: `Store the result of a review of ${what}`,
    args: [name],
    options: REVIEW_OPTIONS,
    example,
    async run({ api, args, options: { status, note }, out }) {
      if (status === undefined && note === undefined) throw badUsage("Nothing to change. Pass --status or --note");
      const { data } = await update(api(), args[name], given({ review_status: status, note }));
      out.say(`Updated \`${data.name}\`.`);
      out.record(data);
    },
  });
}

export const reviews = {
  review: reviewVerb(
    "an MCP server",
    "fingerprint",
    "gatehouse discovery review sha256:… --status approved",
    (api, fingerprint, body) => api.updateDiscoveredMcpServer({ query: { fingerprint }, body }),
  ),
  "review-skill": reviewVerb(
    "a skill",
    "digest",
    "gatehouse discovery review-skill sha256:… --status rejected",
    (api, digest, body) => api.updateDiscoveredSkill({ query: { digest }, body }),
  ),
  "review-memory": reviewVerb(
    "a memory file",
    "id",
    "gatehouse discovery review-memory sha256:… --status ignored",
    (api, id, body) => api.updateDiscoveredMemory({ query: { id }, body }),
  ),
  "review-agent": reviewVerb(
    "an AI agent",
    "id",
    "gatehouse discovery review-agent sha256:… --status approved --note Ours",
    (api, id, body) => api.updateDiscoveredAgent({ query: { id }, body }),
  ),
};

type Instance = Schemas["DiscoveryInstance"];

interface InstanceQuery {
  readonly limit: number;
  readonly skip: number;
  readonly include_removed?: boolean | undefined;
}

const ITEM_READERS = {
  mcp_servers: (api: Client, fingerprint: string, query: InstanceQuery) =>
    api.getDiscoveredMcpServer({ path: { fingerprint }, query }),
  skills: (api: Client, digest: string, query: InstanceQuery) => api.getDiscoveredSkill({ path: { digest }, query }),
  agent_memory: (api: Client, id: string, query: InstanceQuery) => api.getDiscoveredMemory({ path: { id }, query }),
  agents: (api: Client, id: string, query: InstanceQuery) => api.getDiscoveredAgent({ path: { id }, query }),
};
type Kind = keyof typeof ITEM_READERS;

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(ITEM_READERS, kind);
}

const INSTANCE_COLUMNS: Columns<Instance> = {
  HOST: (instance) => instance.hostname,
  USER: (instance) => instance.username ?? instance.user_email,
  CLIENT: (instance) => instance.client,
  ACTION: (instance) => instance.action,
  PATH: (instance) => instance.path,
  "LAST SEEN": (instance) => instance.last_seen,
  REMOVED: (instance) => instance.removed_at,
  DEVICE: (instance) => instance.device_id,
};

export const instances = verb({
  description: "List where an item is; the kind is mcp_servers, skills, agent_memory or agents",
  args: ["kind", "id"],
  options: {
    removed: { type: "flag", description: "include places where it was removed" },
    limit: LIMIT,
  },
  example: "gatehouse discovery instances mcp_servers sha256:…",
  async run({ api, args: { kind, id }, options: { removed, limit }, out }) {
    if (!isKind(kind)) throw badUsage(`The kind must be one of ${Object.keys(ITEM_READERS).join(", ")}`);
    const client = api();
    const rows = await readSkipping(limit, async (page) => {
      const { data, pagination } = await ITEM_READERS[kind](client, id, {
        ...page,
        ...given({ include_removed: removed }),
      });
      return { data: data.instances, pagination };
    });
    out.list(rows, INSTANCE_COLUMNS, "No device has this item.");
  },
});
