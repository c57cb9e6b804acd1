import { z } from "zod";
import { isoTime, pageOf, SkipPagination } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { read } from "#api/kit/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { openClientCredentials } from "#connect/connect";
import { lastCallsOf } from "#records/calls";
import { connectionCountsOfUsers } from "#records/connections";
import { machineKeysOf } from "#records/credentials";
import { invitationEmails } from "#records/emails";
import { findGroup } from "#records/groups";
import { identitiesAmong } from "#records/identity-provider";
import { pendingInvitations } from "#records/invitations";
import { passwordsAmong } from "#records/passwords";
import { clientCredentialsAmong, listUsers as listRows, type UserWithLinks, userNames } from "#records/users";
import { lastSeenOf } from "#records/web-sessions";
import type { EmailRow } from "#storage/email-tables";
import { ListedUser, presentClient, presentUser, ROLES } from "./schema.ts";

/** Spec 4.4. */
export const listUsers = read({
  id: "listUsers",
  route: "GET /api/users",
  tag: "Users",
  summary: "List people and machine users",
  description: "Oldest first.",
  scope: "admin:read",
  query: {
    skip: offsetParameter("Number of users to skip"),
    limit: limitParameter,
    search: searchParameter("Only users whose name or email contains this text, case-insensitive"),
    type: choiceParameter("Only people, or only machine users", ["person", "machine"]),
    group: searchParameter("Only members of this group, by name, case-insensitive. An unknown group has no members"),
    exclude_group: searchParameter("Only users who are not members of this group, by name, case-insensitive"),
    role: choiceParameter("Only people with this role", ROLES),
    include_details: flagParameter(
      "Adds access keys, OAuth clients, owners, connection counts, last activity, invitations, and sign-in methods",
    ),
  },
  answers: { 200: z.object({ data: z.array(ListedUser), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve users",
  async run({ db, query, context }) {
    const { skip, limit, search, type, group, exclude_group: excluded, role } = query;
    const groupId = group === undefined ? undefined : ((await findGroup(db, group))?.id ?? "none");
    const excludedGroupId = excluded === undefined ? undefined : (await findGroup(db, excluded))?.id;
    const isMachineUser = type === undefined ? undefined : type === "machine";
    const filter = { search, isMachineUser, groupId, excludedGroupId, role };
    const rows = await listRows(db, { ...filter, skip, limit: limit + 1 });
    const { page, hasMore } = pageOf(rows, limit);
    const data = query.include_details ? await withDetails(context, page) : page.map(presentUser);
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});

async function withDetails(
  context: ApiContext,
  users: readonly UserWithLinks[],
): Promise<z.input<typeof ListedUser>[]> {
  const { databases, clock, vault } = context;
  const { main } = databases;
  const people = users.filter((user) => !user.is_machine_user).map(({ id }) => id);
  const machines = users.filter((user) => user.is_machine_user).map(({ id }) => id);
  const addresses = users.map(({ email }) => email);
  const owners = await userNames(main, [...new Set(users.flatMap((user) => user.owner_ids))]);
  const connections = await connectionCountsOfUsers(
    main,
    users.map(({ id }) => id),
  );
  const [used, keys, sealedClients, seen, invited, passwords, identities, emails] = await Promise.all([
    lastCallsOf(databases.calls, addresses),
    machineKeysOf(main, machines),
    clientCredentialsAmong(main, machines),
    lastSeenOf(main, people),
    pendingInvitations(main, people, clock.now()),
    passwordsAmong(main, people),
    identitiesAmong(main, people),
    invitationEmails(main, people),
  ]);
  const clients = new Map(sealedClients.map((sealed) => [sealed.id, openClientCredentials(vault, sealed)]));
  const ofMachine = (user: UserWithLinks) => ({
    access_key: keys.get(user.id)?.access_key,
    previous_secret_expires_at: futureTimeOrNull(keys.get(user.id)?.previous_expires_at, clock.now()),
    client_credentials: presentClient(clients.get(user.id)),
    owners: user.owner_ids.flatMap((id) => owners.get(id) ?? []),
  });
  const ofPerson = ({ id }: UserWithLinks) => ({
    last_seen_at: timeOrNull(seen.get(id)),
    invited: invited.has(id),
    invited_by: invited.get(id)?.createdBy ?? null,
    invitation_expires_at: timeOrNull(invited.get(id)?.expiresAt),
    invitation_email: presentEmail(emails.get(id), invited.get(id)?.createdAt),
    sign_in_methods: [
      ...(passwords.has(id) ? (["password"] as const) : []),
      ...(identities.has(id) ? (["sso"] as const) : []),
    ],
  });
  return users.map((user) => ({
    ...presentUser(user),
    last_used_at: timeOrNull(used.get(user.email)),
    connections_count: connections.get(user.id) ?? 0,
    ...(user.is_machine_user ? ofMachine(user) : ofPerson(user)),
  }));
}

/** Null: the pending invitation was not sent by email. */
function presentEmail(
  email: Pick<EmailRow, "status" | "last_error" | "at"> | undefined,
  invitedAt: number | undefined,
): z.input<typeof ListedUser>["invitation_email"] {
  if (!email || invitedAt === undefined || email.at < invitedAt) return null;
  return { status: email.status, error: email.last_error, at: isoTime(email.at) };
}

function futureTimeOrNull(at: number | null | undefined, now: number): string | null {
  return at && at > now ? isoTime(at) : null;
}

function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : isoTime(at);
}
