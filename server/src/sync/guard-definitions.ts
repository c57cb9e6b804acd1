import { contentPayload, type Payload, toolPayload } from "#guards/payload";
import type { Logger } from "#lib/logger";
import { nextTurn } from "#lib/next-turn";
import { evaluatedItemsOf, type SyncedItem } from "#records/server-items";
import {
  acceptedDigest,
  type EvaluatedRow,
  evaluatedToolsOf,
  type GuardVerdict,
  namesOfOtherTools,
  type SyncedTool,
} from "#records/server-tools";
import type { MainDb } from "#storage/database";
import type { McpServerRow, ServerItemKind } from "#storage/server-tables";
import type { ContentGuards, ContentSelection, Objection } from "./content-guards.ts";

export interface DefinitionGuardsNeeds {
  readonly db: MainDb;
  readonly logger: Logger;
  readonly contentGuards: Pick<ContentGuards, "select" | "evaluate">;
}

type Server = Pick<McpServerRow, "id" | "slug" | "tools_synced_at">;
type Synced = Pick<SyncedTool, "upstream_name" | "definition" | "digest">;

/** Adds the verdicts of the build-time guards for tools. Evaluates only what is new, changed, or has new guards. */
export async function guardTools(
  server: Server,
  tools: readonly SyncedTool[],
  needs: DefinitionGuardsNeeds,
): Promise<SyncedTool[]> {
  const selection = await needs.contentGuards.select(needs.db, "tool");
  if (selection === undefined) return [...tools];
  const known = await evaluatedToolsOf(needs.db, server.id);
  const readsNames = selection.guards.guards.some(({ poisoning }) => poisoning.length > 0);
  const otherTools = readsNames ? await namesOfOtherTools(needs.db, server.id) : new Set<string>();
  for (const { upstream_name } of tools) otherTools.delete(upstream_name);
  const payloadOf = (tool: Synced, before: EvaluatedRow | undefined) => {
    const accepted = before && server.tools_synced_at !== null ? acceptedDigest(before) : null;
    return toolPayload(withName(tool), { otherTools, changed: accepted !== null && accepted !== tool.digest });
  };
  return withVerdicts({ server, kind: "tool", selection, known, payloadOf }, tools, needs);
}

/** The same for prompts, resources, templates and instructions, with the guards for MCP servers. */
export async function guardItems(
  server: Server,
  kind: ServerItemKind,
  items: readonly SyncedItem[],
  needs: DefinitionGuardsNeeds,
): Promise<SyncedItem[]> {
  const selection = await needs.contentGuards.select(needs.db, "mcp_server");
  if (selection === undefined) return [...items];
  const known = await evaluatedItemsOf(needs.db, server.id, kind);
  const payloadOf = (item: Synced) => contentPayload(withName(item));
  return withVerdicts({ server, kind, selection, known, payloadOf }, items, needs);
}

interface Round {
  readonly server: Server;
  readonly kind: "tool" | ServerItemKind;
  readonly selection: ContentSelection;
  readonly known: ReadonlyMap<string, EvaluatedRow>;
  payloadOf(synced: Synced, before: EvaluatedRow | undefined): Payload;
}

async function withVerdicts<Each extends Synced>(
  round: Round,
  definitions: readonly Each[],
  needs: DefinitionGuardsNeeds,
): Promise<(Each & GuardVerdict)[]> {
  const evaluated: (Each & GuardVerdict)[] = [];
  for (const definition of definitions) {
    const before = round.known.get(definition.upstream_name);
    const verdict = keptVerdict(round.selection, before, definition);
    evaluated.push({ ...definition, ...(verdict ?? (await evaluate(round, definition, before, needs))) });
  }
  return evaluated;
}

/** A definition that an admin accepted in a review is not evaluated: an explicit decision takes precedence. */
function keptVerdict(
  { key }: ContentSelection,
  before: EvaluatedRow | undefined,
  { digest }: Synced,
): GuardVerdict | undefined {
  if (before?.reviewed_digest === digest) return { blocked_by: null, guards_key: key };
  const isKnown = before?.digest === digest && before.guards_key === key;
  return isKnown ? { blocked_by: before.blocked_by, guards_key: key } : undefined;
}

async function evaluate(
  { server, kind, selection, payloadOf }: Round,
  definition: Synced,
  before: EvaluatedRow | undefined,
  { contentGuards, logger }: DefinitionGuardsNeeds,
): Promise<GuardVerdict> {
  const verdict = await contentGuards.evaluate(selection, payloadOf(definition, before));
  const report = ({ guard_slug: guard, check }: Objection, message: string) =>
    logger.warn({ server: server.slug, kind, name: definition.upstream_name, guard, check }, message);
  for (const warning of verdict.warnings) report(warning, "a guard warns about a definition");
  if (verdict.blocked) report(verdict.blocked, "a guard holds a definition");
  // Servers with thousands of tools must not delay calls.
  await nextTurn();
  return { blocked_by: verdict.blocked ?? null, guards_key: verdict.isFinal ? selection.key : null };
}

/** Stored definitions are JSON objects, written by the sync. Icons and `_meta` are not for models. */
export function withName({ upstream_name, definition }: Pick<Synced, "upstream_name" | "definition">) {
  const { icons: _icons, _meta, ...members } = JSON.parse(definition) as Record<string, unknown>;
  return members.name === undefined ? { ...members, name: upstream_name } : { ...members, uri: upstream_name };
}
