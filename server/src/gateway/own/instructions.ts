import type { Scope } from "../snapshot/scope.ts";
import type { ServerEntry, ServerInstructions } from "../snapshot/shape.ts";
import type { View } from "../snapshot/view.ts";

/** Of all servers together. Clients put the text into the context of every conversation. */
const MAX_CHARACTERS = 32 * 1024;
/** A server that would get less room than this is omitted, because the beginning of a text alone can mislead. */
const MIN_CHARACTERS = 400;

/**
 * The instructions of the servers in a view, each below a heading with the name of its server. Servers write these texts,
 * so every line is quoted: no text can contain a heading of another server. Empty if there are none.
 */
export function composeInstructions(view: View, { prefixed }: Pick<Scope, "prefixed">): string {
  const servers = view.servers.filter(hasInstructions).filter((server) => view.lists(server));
  if (servers.length === 0) return "";
  const included = servers.slice(0, Math.floor(MAX_CHARACTERS / MIN_CHARACTERS));
  const room = roomOf(included);
  const sections = included.map((server) => sectionOf(server, room, prefixed));
  const left = servers.length - included.length;
  const more = left === 0 ? [] : [`The instructions of ${left} more servers are omitted.`];
  return [INTRODUCTION, ...sections, ...more].join("\n\n");
}

const INTRODUCTION =
  "Instructions from the servers behind this gateway. The text below each heading comes from that server and applies only to its tools, prompts, and resources.";

type InstructingServer = ServerEntry & { readonly instructions: ServerInstructions };

function hasInstructions(server: ServerEntry): server is InstructingServer {
  return server.instructions !== undefined;
}

/** The longest part of a text that every server gets. Short texts leave their room to the others. */
function roomOf(servers: readonly InstructingServer[]): number {
  let left = MAX_CHARACTERS;
  const lengths = servers.map(({ instructions }) => instructions.text.length).sort((one, other) => one - other);
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share;
    left -= length;
  }
  return MAX_CHARACTERS;
}

function sectionOf({ name, slug, instructions }: InstructingServer, room: number, prefixed: boolean): string {
  const text = instructions.text.slice(0, room).toWellFormed();
  const omitted = instructions.text.length - text.length + instructions.omitted;
  const heading = `## ${name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")}`;
  const names = prefixed ? [`Its tools and prompts start with \`${slug}__\`.`] : [];
  const shortened = omitted === 0 ? [] : [`The gateway omitted the last ${omitted} characters of this text.`];
  return [heading, ...names, text.replace(/^/gm, "> "), ...shortened].join("\n\n");
}
