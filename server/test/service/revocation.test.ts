import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestPostgres, type TestDatabase } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { type EventReader, MCP_2025_11_25, readEvents } from "../gateway-kit.ts";
import { callText, requestText } from "../mcp-messages.ts";
import { type Service, startService } from "../start-service.ts";
import { type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";

const UNKNOWN_TOOL = -32602;

describe("access revoked at one replica is revoked at the other (AUTH-7)", () => {
  let database: TestDatabase;
  let upstream: RawUpstream;
  let replicas: readonly [Service, Service];

  before(async () => {
    database = await openTestPostgres();
    upstream = await startRawUpstream();
    replicas = [await startService(database), await startService(database)];
    await createSyncedServer(replicas[0], "Echo", upstream.url);
  });
  after(async () => {
    for (const replica of replicas ?? []) await replica.close();
    await upstream?.close();
    await database?.close();
  });

  const call = (replica: Service, user: MachineUser, tool = "echo__echo") =>
    replica.mcp(user.credential, callText({ era: "legacy", id: "1", tool, arguments: "{}" }));
  const write = async (replica: Service, method: string, path: string, body?: object) => {
    // Only the first start creates a token; it is valid at both replicas.
    const answer = await replica.api(method, path, body, { authorization: `Bearer ${replicas[0].token}` });
    assert.equal(answer.status, 200, answer.text);
  };
  const waitFor = async (read: () => Promise<unknown>, expected: unknown) => {
    while ((await read()) !== expected);
  };

  async function listen(replica: Service, user: MachineUser): Promise<EventReader> {
    const version = [`"protocolVersion":"${MCP_2025_11_25}"`, '"capabilities":{}'];
    const begun = await replica.mcp(user.credential, requestText("legacy", "initialize", version));
    const session = String(begun.headers["mcp-session-id"]);
    const headers = { authorization: `Bearer ${user.credential}`, "mcp-session-id": session };
    return readEvents(`${replica.url}/mcp`, { method: "GET", headers });
  }
  /** Creates a user that both replicas know. */
  async function newUser(name: string, slugs = ["echo"]) {
    const user = await createMachineUser(replicas[0], name);
    await createGroup(replicas[0], `${name}s`, { slugs, emails: [user.email] });
    for (const each of replicas) await waitFor(async () => (await call(each, user)).status, 200);
    return { user, email: encodeURIComponent(user.email) };
  }

  for (const [here, there] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const ways: Readonly<Record<string, (replica: Service, email: string) => Promise<void>>> = {
      "a rotated secret": (replica, email) => write(replica, "POST", `/api/users/rotate-secret?email=${email}`, {}),
      "a disabled user": (replica, email) => write(replica, "PATCH", `/api/users?email=${email}`, { disabled: true }),
      "a deleted user": (replica, email) => write(replica, "DELETE", `/api/users?email=${email}`),
    };
    for (const [name, end] of Object.entries(ways)) {
      it(`${name}: credentials are rejected and streams are closed (${here} → ${there})`, async () => {
        const { user, email } = await newUser(`${name} ${here}`);
        const stream = await listen(replicas[there], user);
        assert.equal(stream.status, 200);
        await end(replicas[here], email);
        assert.equal((await call(replicas[here], user)).status, 401, "immediately at the replica where it was revoked");
        await waitFor(async () => (await call(replicas[there], user)).status, 401);
        await stream.ended;
      });
    }

    it(`a removed group member or a deleted server: the tools are unknown (${here} → ${there})`, async () => {
      const slug = await createSyncedServer(replicas[0], `Short lived ${here}`, upstream.url);
      const { user, email } = await newUser(`leaver ${here}`, ["echo", slug]);
      const code = async (tool: string) => (await call(replicas[there], user, tool)).body.error?.code;
      await waitFor(() => code(`${slug}__echo`), undefined);
      await write(replicas[here], "DELETE", `/api/mcp-servers?slug=${slug}`);
      await waitFor(() => code(`${slug}__echo`), UNKNOWN_TOOL);
      assert.equal(await code("echo__echo"), undefined);
      const group = encodeURIComponent(`leaver ${here}s`);
      await write(replicas[here], "DELETE", `/api/groups/${group}/users?email=${email}`);
      await waitFor(() => code("echo__echo"), UNKNOWN_TOOL);
    });
  }
});
