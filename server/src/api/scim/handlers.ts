import type { ApiContext } from "#api/kit/api-context";
import type { Caller } from "#api/kit/caller";
import { allows, type Scope } from "#api/kit/scopes";
import { resourceTypes, schemas, serviceProviderConfig } from "#identity/scim/definitions";
import { parseFilter } from "#identity/scim/filter";
import { listGroups, listUsers, type ScimDirectory, type ScimPage } from "#identity/scim/list-resources";
import { readAttributes, readPatch } from "#identity/scim/patch";
import { includesAttribute, presentGroup, presentUser, type ScimResource } from "#identity/scim/resources";
import {
  changeGroupDraft,
  createGroup,
  emptyGroupDraft,
  groupDraftOf,
  removeGroup,
  saveGroup,
} from "#identity/scim/save-group";
import { createUser, draftOf, removeUser, type ScimWrite, saveUser } from "#identity/scim/save-user";
import { ScimError } from "#identity/scim/scim-error";
import { changeDraft, emptyDraft, finishDraft } from "#identity/scim/user-draft";
import { groupsOfUsers, listGroupRows, lockGroupById, peopleOfGroups } from "#records/groups";
import { listPeople, lockPerson } from "#records/users";
import type { MainDb } from "#storage/database";
import { writeAndPublish } from "#storage/transaction";
import type { GroupRow, UserRow } from "#storage/user-tables";
import { readPaging, type ScimRequest } from "./scim-request.ts";

export interface ScimContext {
  readonly api: ApiContext;
  readonly caller: Caller;
  readonly request: ScimRequest;
}

/** A response without a body has only a status. */
export interface ScimAnswer {
  readonly status: number;
  readonly resource?: ScimResource;
  readonly page?: ScimPage & { readonly startIndex: number };
  readonly document?: object;
}

type Handler = (context: ScimContext) => Promise<ScimAnswer>;

/** The routes below `/scim/v2`. */
export const ROUTES: Readonly<Record<string, Handler>> = {
  "GET /ServiceProviderConfig": async ({ api }) => ({ status: 200, document: serviceProviderConfig(api.baseUrl) }),
  "GET /ResourceTypes": async ({ api }) => allOf(resourceTypes(api.baseUrl)),
  "GET /ResourceTypes/:id": async ({ api, request }) => oneOf(resourceTypes(api.baseUrl), request.id),
  "GET /Schemas": async ({ api }) => allOf(schemas(api.baseUrl)),
  "GET /Schemas/:id": async ({ api, request }) => oneOf(schemas(api.baseUrl), request.id),

  "GET /Users": (context) => list(context, (query) => listUsers(directoryOf(context), query)),
  "GET /Users/:id": async ({ api, request }) => {
    return { status: 200, resource: await readUser(api.databases.main, api.baseUrl, request.id) };
  },
  "POST /Users": (context) =>
    inScimWrite(context, async (write) => {
      const draft = emptyDraft();
      for (const { op, path, value } of readAttributes(context.request.body)) changeDraft(draft, op, path, value);
      const id = await createUser(write, finishDraft(draft));
      return { status: 201, resource: await readUser(write.tx, context.api.baseUrl, id) };
    }),
  "PUT /Users/:id": (context) =>
    changeUser(context, (row) => {
      // An omitted status or ID of the provider stays: omitting must not reactivate or unlink a person.
      const { active, externalId } = draftOf(row);
      const draft = { ...emptyDraft(), active, externalId };
      for (const { op, path, value } of readAttributes(context.request.body)) changeDraft(draft, op, path, value);
      return draft;
    }),
  "PATCH /Users/:id": (context) =>
    changeUser(context, (row) => {
      const draft = draftOf(row);
      for (const { op, path, value } of readPatch(context.request.body)) changeDraft(draft, op, path, value);
      return draft;
    }),
  "DELETE /Users/:id": (context) =>
    inScimWrite(context, async (write) => {
      const row = await lockedUser(context, write);
      await removeUser(write, row);
      return { status: 204 };
    }),

  "GET /Groups": (context) => {
    const withMembers = includesAttribute(context.request.projection, "members");
    return list(context, (query) => listGroups(directoryOf(context), query, withMembers));
  },
  "GET /Groups/:id": async ({ api, request }) => {
    return { status: 200, resource: await readGroup(api.databases.main, api.baseUrl, request.id) };
  },
  "POST /Groups": (context) =>
    inScimWrite(context, async (write) => {
      const draft = emptyGroupDraft();
      for (const operation of readAttributes(context.request.body)) changeGroupDraft(draft, operation);
      const id = await createGroup(write, draft);
      return { status: 201, resource: await readGroup(write.tx, context.api.baseUrl, id) };
    }),
  "PUT /Groups/:id": (context) =>
    changeGroup(context, (before) => {
      const draft = { ...emptyGroupDraft(), externalId: before.externalId };
      for (const operation of readAttributes(context.request.body)) changeGroupDraft(draft, operation);
      return draft;
    }),
  // Without a body unless attributes were requested: a group can have many members.
  "PATCH /Groups/:id": async (context) => {
    const answer = await changeGroup(context, (before) => {
      const draft = { ...before };
      for (const operation of readPatch(context.request.body)) changeGroupDraft(draft, operation);
      return draft;
    });
    return context.request.projection.only ? answer : { ...answer, status: 204 };
  },
  "DELETE /Groups/:id": (context) =>
    inScimWrite(context, async (write) => {
      await removeGroup(write, await lockedGroup(context, write));
      return { status: 204 };
    }),
};

function changeUser(context: ScimContext, change: (row: UserRow) => ReturnType<typeof draftOf>): Promise<ScimAnswer> {
  return inScimWrite(context, async (write) => {
    const row = await lockedUser(context, write);
    await saveUser(write, row, finishDraft(change(row)));
    return { status: 200, resource: await readUser(write.tx, context.api.baseUrl, row.id) };
  });
}

function changeGroup(
  context: ScimContext,
  change: (before: Awaited<ReturnType<typeof groupDraftOf>>) => Awaited<ReturnType<typeof groupDraftOf>>,
): Promise<ScimAnswer> {
  return inScimWrite(context, async (write) => {
    const row = await lockedGroup(context, write);
    const before = await groupDraftOf(write.tx, row);
    await saveGroup(write, row, before, change(before));
    return { status: 200, resource: await readGroup(write.tx, context.api.baseUrl, row.id) };
  });
}

/** One transaction, with the token as its author. Resolves when the gateway of this process applies it. */
function inScimWrite({ api, caller, request }: ScimContext, work: (write: ScimWrite) => Promise<ScimAnswer>) {
  const { clock, newId, waitUntilPublished } = api;
  const author = { actor: caller.actor, requestId: request.requestId, address: request.address };
  const writing = { db: api.databases.main, clock, newId, waitUntilPublished };
  const identifies = identifiedBy(caller);
  return writeAndPublish(writing, author, (tx, trail) => work({ tx, trail, now: clock.now(), newId, identifies }));
}

/** `admin:write` includes `admin:scim`, but is not a token of the identity provider. */
function identifiedBy({ scopes }: Caller): ScimWrite["identifies"] {
  if (allows(scopes, "all")) return "everyone";
  return scopes.includes("admin:scim" satisfies Scope) ? "members" : "none";
}

async function lockedUser({ api, request }: ScimContext, { tx }: ScimWrite): Promise<UserRow> {
  const row = await lockPerson(tx, { by: "id", value: request.id });
  if (!row) throw missing("User", request.id);
  if (request.ifMatch) requireVersion(request, await readUser(tx, api.baseUrl, row.id));
  return row;
}

async function lockedGroup({ api, request }: ScimContext, { tx }: ScimWrite): Promise<GroupRow> {
  const row = await lockGroupById(tx, request.id);
  if (!row) throw missing("Group", request.id);
  if (request.ifMatch) requireVersion(request, await readGroup(tx, api.baseUrl, row.id));
  return row;
}

function requireVersion({ ifMatch }: ScimRequest, { meta }: ScimResource): void {
  if (ifMatch?.(meta.version ?? "")) return;
  throw new ScimError(412, "The resource has changed since it was read. Read it again, then repeat the request");
}

async function readUser(db: MainDb, baseUrl: string, id: string): Promise<ScimResource> {
  const [row] = await listPeople(db, { key: { by: "id", value: id }, limit: 1 });
  if (!row) throw missing("User", id);
  return presentUser(baseUrl, row, (await groupsOfUsers(db, [id])).get(id) ?? []);
}

async function readGroup(db: MainDb, baseUrl: string, id: string): Promise<ScimResource> {
  const [row] = await listGroupRows(db, { key: { by: "id", value: id }, limit: 1 });
  if (!row) throw missing("Group", id);
  return presentGroup(baseUrl, row, (await peopleOfGroups(db, [id])).get(id) ?? []);
}

function missing(type: string, id: string): ScimError {
  return new ScimError(404, `${type} ${id.slice(0, 100)} not found`);
}

async function list(
  { request }: ScimContext,
  read: (query: {
    filter: ReturnType<typeof parseFilter> | undefined;
    skip: number;
    limit: number;
  }) => Promise<ScimPage>,
): Promise<ScimAnswer> {
  const { startIndex, count } = readPaging(request.query);
  const text = request.query.get("filter");
  const filter = text === null || text.trim() === "" ? undefined : parseFilter(text);
  return { status: 200, page: { ...(await read({ filter, skip: startIndex - 1, limit: count })), startIndex } };
}

function directoryOf({ api }: ScimContext): ScimDirectory {
  return { db: api.databases.main, baseUrl: api.baseUrl, nextTurn: api.nextTurn };
}

function allOf(resources: readonly object[]): ScimAnswer {
  const page = { totalResults: resources.length, itemsPerPage: resources.length, startIndex: 1, Resources: resources };
  return { status: 200, document: { schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], ...page } };
}

function oneOf(resources: readonly { readonly id: string }[], id: string): ScimAnswer {
  const document = resources.find((resource) => resource.id.toLowerCase() === id.toLowerCase());
  if (!document) throw new ScimError(404, `${id.slice(0, 100)} not found`);
  return { status: 200, document };
}
