import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/kit/answers";
import { type KnownFields, readFields, selectFields } from "#api/kit/fields";
import { read } from "#api/kit/operation";
import {
  choiceParameter,
  flagParameter,
  limitParameter,
  offsetParameter,
  searchParameter,
  textParameter,
} from "#api/kit/parameters";
import { CommandArgumentShape } from "#api/presenters/command-argument";
import { countCommands, listCommands as listRows } from "#records/commands";
import { findGroup } from "#records/groups";
import { presentCommands } from "./present.ts";
import { Command } from "./schema.ts";

const KNOWN: KnownFields = {
  ...{ id: true, slug: true, name: true, description: true, content: true, argument_hint: true, allowed_tools: true },
  ...{ model: true, disable_model_invocation: true, skills: true, include_skills: true, status: true, groups: true },
  ...{ created_at: true, updated_at: true },
  arguments: { name: true, description: true, required: true, default: true, enum: true },
};
/** With `fields`, an entry contains only the requested fields. */
const CommandSelection = Command.extend({
  arguments: z.array(CommandArgumentShape.partial()).describe("The arguments"),
})
  .partial()
  .meta({ id: "CommandSelection", description: "A command; with `fields`, only the named fields" });

/** Families 4. */
export const listCommands = read({
  id: "listCommands",
  route: "GET /api/commands",
  tag: "Commands",
  summary: "List commands",
  description: "Oldest first. With `fields`, entries contain only the named fields.",
  scope: "admin:read",
  headers: { "x-service-group": textParameter("Only commands of this group. Group name, case-insensitive") },
  query: {
    status: choiceParameter("Only commands with this status", ["active", "draft"]),
    search: searchParameter("Only commands whose name, slug or description contains this text, case-insensitive"),
    fields: textParameter("Comma-separated fields; nested ones in parentheses, such as arguments(name)"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({ data: z.array(CommandSelection), pagination: CursorPagination, totalCount: totalCount.optional() }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve commands",
  async run({ db, query, headers }) {
    const { cursor, limit, status, search } = query;
    const tree = query.fields ? readFields(query.fields, KNOWN) : undefined;
    const groupName = headers["x-service-group"];
    const group = groupName === undefined ? undefined : await findGroup(db, groupName);
    const filter = groupName !== undefined && !group ? undefined : { status, search, groupId: group?.id };
    const rows = filter ? await listRows(db, filter, { offset: cursor, limit: limit + 1 }) : [];
    const { page, hasMore } = pageOf(rows, limit);
    const commands = await presentCommands(db, page);
    const data = tree ? commands.map((command) => selectFields(command, tree)) : commands;
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = query.includeTotal ? { totalCount: filter ? await countCommands(db, filter) : 0 } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});
