import { z } from "zod";
import { isoTime, pageOf, SkipPagination } from "#api/http/answers";
import { read } from "#api/http/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/http/parameters";
import type { ApiWorld } from "#api/http/world";
import { lastCallsOf } from "#records/calls";
import { accessKeysOf } from "#records/credentials";
import { findGroup } from "#records/groups";
import { invitedAmong } from "#records/invitations";
import { listUsers as listRows, type UserWithLinks } from "#records/users";
import { lastSeenOf } from "#records/web-sessions";
import { ListedUser, presentUser } from "./schema.ts";

/** Spec 4.4. */
export const listUsers = read({
  id: "listUsers",
  route: "GET /api/users",
  tag: "Users",
  summary: "List people and machine users",
  description: "Oldest first.",
  scope: "admin:read",
  query: {
    skip: offsetParameter("How many users to pass over"),
    limit: limitParameter,
    search: searchParameter("Only users whose name or e-mail holds this text, in any case"),
    type: choiceParameter("Only people, or only machine users", ["person", "machine"]),
    group: searchParameter("Only members of the group of this name, in any case; of an unknown one there are none"),
    include_details: flagParameter("Adds access keys, when each was last active, and who is invited"),
  },
  answers: { 200: z.object({ data: z.array(ListedUser), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve users",
  async run({ db, query, world }) {
    const { skip, limit, search, type, group } = query;
    const groupId = group === undefined ? undefined : ((await findGroup(db, group))?.id ?? "none");
    const isMachineUser = type === undefined ? undefined : type === "machine";
    const rows = await listRows(db, { search, isMachineUser, groupId, skip, limit: limit + 1 });
    const { page, hasMore } = pageOf(rows, limit);
    const data = query.include_details ? await withDetails(world, page) : page.map(presentUser);
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});

async function withDetails(world: ApiWorld, users: readonly UserWithLinks[]): Promise<z.input<typeof ListedUser>[]> {
  const { databases, clock } = world;
  const people = users.filter((user) => !user.is_machine_user).map(({ id }) => id);
  const machines = users.filter((user) => user.is_machine_user).map(({ id }) => id);
  const [used, keys, seen, invited] = await Promise.all([
    lastCallsOf(
      databases.calls,
      users.map(({ email }) => email),
    ),
    accessKeysOf(databases.main, machines),
    lastSeenOf(databases.main, people),
    invitedAmong(databases.main, people, clock.now()),
  ]);
  return users.map((user) => ({
    ...presentUser(user),
    last_used_at: timeOrNull(used.get(user.email)),
    ...(user.is_machine_user
      ? { access_key: keys.get(user.id) }
      : { last_seen_at: timeOrNull(seen.get(user.id)), invited: invited.has(user.id) }),
  }));
}

function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : isoTime(at);
}
