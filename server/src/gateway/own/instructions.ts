import type { Scope } from "../snapshot/scope.ts";
import { CALL_TOOL, FIND_TOOLS } from "../snapshot/search-source.ts";
import type { ServerEntry, ServerInstructions } from "../snapshot/shape.ts";
import { LIST_SKILLS, LOAD_SKILL } from "../snapshot/skill-tools.ts";
import type { View } from "../snapshot/view.ts";

/** Of all servers together. Clients put the text into the context of every conversation. */
const MAX_CHARACTERS = 32 * 1024;
/** A server that would get less room than this is omitted, because the beginning of a text alone can mislead. */
const MIN_CHARACTERS = 400;

/** Clients that use tool search list no tools, so this names the servers whose tools their models can look for. */
const MAX_SEARCHED_SERVERS = 100;

type InstructedScope = Pick<Scope, "prefixed" | "tools" | "skillTools">;

/**
 * For the handshake. `view` has the tools themselves, also with tool search, and `ofToolkit` is the text of its toolkit.
 * Empty if there is nothing to say.
 */
export function composeInstructions(view: View, scope: InstructedScope, ofToolkit = ""): string {
  const search = scope.tools === "search" ? searchInstructions(view) : "";
  return [ofToolkit, skillInstructions(view, scope), search, serverInstructions(view, scope)]
    .filter((text) => text !== "")
    .join("\n\n");
}

function skillInstructions({ skills: { length } }: View, { skillTools }: InstructedScope): string {
  if (length === 0) return "";
  const subject = length === 1 ? "1 organization skill is" : `${length} organization skills are`;
  const tools = skillTools ? ` List them with \`${LIST_SKILLS}\`, and load them with \`${LOAD_SKILL}\`.` : "";
  return `${subject} available as skill:// resources.${tools}`;
}

function searchInstructions(view: View): string {
  const count = view.count("tools");
  const servers = view.servers.filter((server) => view.named(server, "tools").items.length > 0);
  if (count === 0) return "";
  const names = servers.slice(0, MAX_SEARCHED_SERVERS).map(({ name }) => onOneLine(name));
  const more = servers.length > names.length ? `, and ${servers.length - names.length} more` : "";
  return `${count} tools are available but not listed. Find them with \`${FIND_TOOLS}\`, then call them with \`${CALL_TOOL}\`. They belong to these servers: ${names.join(", ")}${more}.`;
}

/**
 * The instructions of the servers in a view, each below a heading with the name of its server. Servers write these texts,
 * so every line is quoted: no text can contain a heading of another server. Empty if there are none.
 */
function serverInstructions(view: View, { prefixed }: InstructedScope): string {
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
  const heading = `## ${onOneLine(name)}`;
  const names = prefixed ? [`Its tools and prompts start with \`${slug}__\`.`] : [];
  const shortened = omitted === 0 ? [] : [`The gateway omitted the last ${omitted} characters of this text.`];
  return [heading, ...names, text.replace(/^/gm, "> "), ...shortened].join("\n\n");
}

function onOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
