import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { resolve } from "#gateway/snapshot/resolve";
import { notFound, Refusal } from "#lib/errors";
import {
  changeToolkit,
  countToolkits,
  createToolkit,
  deleteToolkit,
  findToolkit,
  type LimitKnown,
  listToolkits,
  lockToolkit,
  toolkitsOfUser,
} from "#records/toolkits";
import type { MainDb, MainTransaction } from "#storage/database";
import type { ToolkitRow } from "#storage/toolkit-tables";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { type PresentedToolkit, presentToolkits } from "./toolkit.ts";
import type { OwnToolkitBody, ToolkitFields } from "./toolkit-body.ts";
import { type CheckContent, checkToolkitContent } from "./toolkit-content.ts";

export const MOST_OWN_TOOLKITS = 50;

/** What users see of a toolkit of the organization: not its fixed arguments, and not the tools that they cannot call. */
export const UsableToolkit = z
  .object({
    slug: z.string().meta({ description: "For `?toolkit=`", example: "triage" }),
    name: z.string().meta({ description: "Display name", example: "Issue triage" }),
    description: z.string().describe("What it is for"),
    status: z.enum(["draft", "active"]).describe("Drafts are listed only for their owner, and cannot be used"),
    own: z.boolean().describe("Whether it is a toolkit of the user, who can change it"),
    least_privilege: z.boolean().describe("Whether it also applies without being selected"),
  })
  .meta({ id: "UsableToolkit", description: "A toolkit that a user can select" });

export async function usableToolkits(db: MainDb, user: Pick<UserRow, "id">): Promise<z.input<typeof UsableToolkit>[]> {
  const usable = await toolkitsOfUser(db, user.id);
  const drafts = await listToolkits(db, { ownerId: user.id, status: "draft" }, { offset: 0, limit: MOST_OWN_TOOLKITS });
  return [...usable, ...drafts].map(({ slug, name, description, status, owner_id, least_privilege }) => {
    return { slug, name, description, status, own: owner_id !== null, least_privilege };
  });
}

/** For the user, servers and tools that they cannot use do not exist: neither errors nor warnings may tell otherwise. */
export function limitToUser({ snapshots }: Pick<ApiContext, "snapshots">, userId: string): LimitKnown {
  const snapshot = snapshots.current();
  const user = snapshot.usersById.get(userId);
  const resolution = user && resolve(snapshot, { user });
  return (known) =>
    new Map(
      [...known].flatMap(([slug, server]) => {
        const entry = snapshot.serversById.get(snapshot.serverIdBySlug.get(slug) ?? "");
        if (!entry || !resolution?.reach(entry).reached) return [];
        const exposed = resolution.exposure(entry)?.tools();
        const isExposed = (name: string) => !exposed || exposed.some(({ item }) => item.upstreamName === name);
        const tools = [...server.tools].filter(([name]) => isExposed(name) && resolution.reach(entry, name).reached);
        return [[slug, { ...server, tools: new Map(tools) }]];
      }),
    );
}

interface OwnWrite {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
  readonly context: ApiContext;
  readonly checkContent: CheckContent;
  readonly user: Pick<UserRow, "id">;
  /** The ID of the operation, for the audit log. */
  readonly operation: string;
}

interface OwnSaved {
  readonly data: PresentedToolkit;
  readonly warnings?: string[];
}

export async function createOwnToolkit(write: OwnWrite, body: z.output<typeof OwnToolkitBody>): Promise<OwnSaved> {
  const { tx, trail, context, user } = write;
  if ((await countToolkits(tx, { ownerId: user.id })) >= MOST_OWN_TOOLKITS) {
    throw new Refusal("conflict", `A user can have at most ${MOST_OWN_TOOLKITS} toolkits; delete some first`);
  }
  const id = context.newId("tkt");
  const added = { id, slug: body.slug, name: body.name, ownerId: user.id, now: context.clock.now() };
  const saved = await createToolkit(tx, trail, added, body, limitToUser(context, user.id));
  const warnings = [...saved.warnings, ...(await checkToolkitContent(write.checkContent, undefined, saved.row))];
  return presentSaved(write, saved.row, warnings, undefined);
}

export async function changeOwnToolkit(write: OwnWrite, slug: string, body: ToolkitFields): Promise<OwnSaved> {
  const { tx, trail, context, user } = write;
  const row = await lockOwn(tx, user, slug);
  const [before] = await presentToolkits(tx, [row], limitToUser(context, user.id));
  const saved = await changeToolkit(tx, trail, row, body, context.clock.now(), limitToUser(context, user.id));
  const warnings = [...saved.warnings, ...(await checkToolkitContent(write.checkContent, row, saved.row))];
  return presentSaved(write, saved.row, warnings, before);
}

async function presentSaved(
  { tx, trail, context, user, operation }: OwnWrite,
  row: ToolkitRow,
  warnings: readonly string[],
  before: PresentedToolkit | undefined,
): Promise<OwnSaved> {
  const [data] = await presentToolkits(tx, [row], limitToUser(context, user.id));
  if (!data) throw notFound.toolkit();
  const target = { kind: "toolkit", id: row.id, name: row.slug };
  trail.audit({ operation, target, ...(before && { before }), after: data });
  return { data, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

export async function deleteOwnToolkit(write: Omit<OwnWrite, "checkContent">, slug: string): Promise<void> {
  const { tx, trail, context, user, operation } = write;
  const row = await lockOwn(tx, user, slug);
  const [before] = await presentToolkits(tx, [row], limitToUser(context, user.id));
  await deleteToolkit(tx, trail, row.id);
  trail.audit({ operation, target: { kind: "toolkit", id: row.id, name: row.slug }, before: before ?? {} });
}

/** Toolkits of others do not exist for the user. */
async function lockOwn(tx: MainTransaction, user: Pick<UserRow, "id">, slug: string): Promise<ToolkitRow> {
  const row = await lockToolkit(tx, slug);
  if (row?.owner_id !== user.id) throw notFound.toolkit();
  return row;
}

export async function findOwnToolkit(
  db: MainDb,
  context: Pick<ApiContext, "snapshots">,
  user: Pick<UserRow, "id">,
  slug: string,
): Promise<PresentedToolkit> {
  const row = await findToolkit(db, slug);
  const [data] = row?.owner_id === user.id ? await presentToolkits(db, [row], limitToUser(context, user.id)) : [];
  if (!data) throw notFound.toolkit();
  return data;
}
