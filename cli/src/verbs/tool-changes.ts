import type { Client } from "#openapi/client";
import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { verb, YES } from "../verb.ts";

const COLUMNS: Columns<Schemas["ToolChange"]> = {
  TOOL: (change) => change.tool,
  KIND: (change) => change.kind,
  CHANGE: (change) => change.change,
  HELD: (change) => change.held,
  GUARD: (change) => change.blocked_by?.guard_slug,
  INVISIBLE: (change) => change.invisible_characters,
  DIFFERS: (change) => change.differences.map((difference) => difference.field),
};

const NO_CHANGES = "No definitions have changed.";

function readChanges(client: Client, slug: string): Promise<Schemas["ToolChange"][]> {
  return readPages<Schemas["ToolChange"], number>(undefined, async (limit, cursor) => {
    const { data, pagination } = await client.listToolChanges({ path: { slug }, query: { limit, cursor } });
    return { rows: data, next: pagination.nextCursor };
  });
}

export const changes = verb({
  description: "List new and changed tools, prompts, and resources; -o json includes the differences",
  args: ["slug"],
  example: "gatehouse servers changes echo",
  async run({ api, args, out }) {
    out.list(await readChanges(api(), args.slug), COLUMNS, NO_CHANGES);
  },
});

/** Rejects exactly the definitions that were shown: the service refuses a tool that changed since. */
export const rejectTools = verb({
  description:
    "Reject new or changed tools, prompts, and resources; they keep their accepted definition or stay hidden",
  args: ["slug"],
  rest: "tool",
  options: { yes: YES },
  example: "gatehouse servers reject-tools echo add --yes",
  async run({ api, args, rest, out, confirm }) {
    const client = api();
    const all = await readChanges(client, args.slug);
    const unknown = rest.filter((name) => !all.some(({ tool }) => tool === name));
    if (unknown.length > 0)
      throw badUsage(`Not a new or changed tool, prompt, or resource of ${args.slug}: ${unknown.join(", ")}`);
    const waiting = all.filter(({ tool }) => rest.includes(tool));
    out.list(waiting, COLUMNS, NO_CHANGES);
    await confirm(
      `Reject ${waiting.length === 1 ? "this definition" : `these ${waiting.length} definitions`} of ${args.slug}?`,
    );
    const tools = waiting.map(({ tool, kind, digest }) => ({ tool, kind, digest }));
    const { data } = await client.rejectTools({ path: args, body: { tools } });
    out.say(`Rejected: ${data.rejected.join(", ")}`);
  },
});

/** Accepts exactly the definitions that were shown: the service rejects a tool that changed since. */
export const acceptTools = verb({
  description: "Show new and changed tools, prompts, and resources, and accept them",
  args: ["slug"],
  options: { yes: YES },
  example: "gatehouse servers accept-tools echo --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    const waiting = await readChanges(client, args.slug);
    out.list(waiting, COLUMNS, NO_CHANGES);
    if (waiting.length === 0) return;
    await confirm(
      `Accept ${waiting.length === 1 ? "this definition" : `these ${waiting.length} definitions`} of ${args.slug}?`,
    );
    const tools = waiting.map(({ tool, kind, digest }) => ({ tool, kind, digest }));
    const { data } = await client.acceptTools({ path: args, body: { tools } });
    out.say(`Accepted: ${data.accepted.join(", ")}`);
  },
});
