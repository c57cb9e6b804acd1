import assert from "node:assert/strict";
import type { Service } from "./start-service.ts";

/** Records that tests need, created through the API like an admin does. */

export async function createServer(service: Service, name: string, url?: string, rest: object = {}): Promise<string> {
  const upstream = url === undefined ? {} : { mcp_proxy: JSON.stringify({ type: "http", url }) };
  const answer = await service.api("POST", "/api/mcp-servers", { name, ...upstream, ...rest });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.slug;
}

/** A server whose tools have been synced. */
export async function createSyncedServer(
  service: Service,
  name: string,
  url: string,
  rest: object = {},
): Promise<string> {
  const slug = await createServer(service, name, url, rest);
  const synced = await service.api("POST", `/api/mcp-servers/${slug}/sync`);
  assert.equal(synced.body?.data?.sync_error, null, synced.text);
  return slug;
}

export async function createGroup(
  service: Service,
  name: string,
  { slugs = [], emails = [], settings = {} }: { slugs?: string[]; emails?: string[]; settings?: object } = {},
): Promise<string> {
  const answer = await service.api("POST", "/api/groups", { name, settings });
  assert.equal(answer.status, 201, answer.text);
  const path = `/api/groups/${encodeURIComponent(name)}`;
  if (slugs.length > 0) assert.equal((await service.api("POST", `${path}/integrations`, { slugs })).status, 200);
  if (emails.length > 0) assert.equal((await service.api("POST", `${path}/users`, { emails })).status, 200);
  return answer.body.data.id;
}

export interface MachineUser {
  readonly id: string;
  readonly email: string;
  /** `<ACCESS_KEY>:<SECRET>`, as the gateway expects it. */
  readonly credential: string;
}

export async function createMachineUser(service: Service, name: string, rest: object = {}): Promise<MachineUser> {
  const answer = await service.api("POST", "/api/users", { is_machine_user: true, name, ...rest });
  assert.equal(answer.status, 201, answer.text);
  const { data, credentials } = answer.body;
  return { id: data.id, email: data.email, credential: `${credentials.client_id}:${credentials.secret}` };
}

export async function createPerson(service: Service, name: string, email: string): Promise<string> {
  const answer = await service.api("POST", "/api/users", { name, email });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}
