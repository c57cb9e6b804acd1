import { z } from "zod";
import { write } from "#api/kit/operation";
import { knownGroupIds } from "#api/presenters/group-ids";
import { presentToolkits, Toolkit, toolkitWarningsField } from "#api/presenters/toolkit";
import { CreateToolkitBody } from "#api/presenters/toolkit-body";
import { checkToolkitContent } from "#api/presenters/toolkit-content";
import { limitToUser } from "#api/presenters/user-toolkits";
import { invalid, unknownReferences } from "#lib/errors";
import { createToolkit as create, setToolkitGroups } from "#records/toolkits";
import { findUser } from "#records/users";

/** Families 2. */
export const createToolkit = write({
  id: "createToolkit",
  route: "POST /api/toolkits",
  tag: "Toolkits",
  summary: "Create a toolkit",
  description:
    "A toolkit selects tools, prompts and resources of several servers, and can rename tools and fix their arguments. It never gives access: an entry has an effect only for users whose groups grant its tool. Entries whose tool does not exist are saved with a warning.",
  scope: "admin:write",
  body: CreateToolkitBody,
  answers: { 201: z.object({ data: Toolkit, warnings: toolkitWarningsField }) },
  refusals: [400],
  onCrash: "Failed to create toolkit",
  async run({ tx, trail, body, context, checkContent }) {
    const groups = body.groups ?? [];
    if (body.owner_email != null && groups.length > 0) throw invalid("groups", "must be empty for a toolkit of a user");
    const owner = body.owner_email == null ? undefined : await findUser(tx, body.owner_email);
    if (body.owner_email != null && !owner) throw unknownReferences("Users", [body.owner_email]);
    const groupIds = await knownGroupIds(tx, groups);
    const id = context.newId("tkt");
    const { slug, name } = body;
    const added = { id, slug, name, ownerId: owner?.id ?? null, now: context.clock.now() };
    const limit = owner && limitToUser(context, owner.id);
    const saved = await create(tx, trail, added, body, limit);
    const { row } = saved;
    const warnings = [...saved.warnings, ...(await checkToolkitContent(checkContent, undefined, row))];
    await setToolkitGroups(tx, trail, id, groupIds);
    const [data] = await presentToolkits(tx, [row], limit);
    if (!data) throw new Error("A new toolkit could not be presented");
    trail.audit({ operation: "createToolkit", target: { kind: "toolkit", id, name: row.slug }, after: data });
    return { status: 201, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
