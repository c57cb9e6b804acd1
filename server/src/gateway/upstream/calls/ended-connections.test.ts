import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, type MachineUser } from "#test/factories";
import { callText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { until } from "#test/upstreams/caller";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const KEYED = { auth_settings: { authType: "proxy-api-key" } };

forEachDatabase("a connection that ends, on two replicas", (open) => {
  let services: Service[];
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    const database = await open();
    upstream = await startRawUpstream({ eras: "legacy", sessions: true });
    services = [await startService(database), await startService(database)];
    await createServer(at(0), "Keyed", upstream.url, KEYED);
    bot = await createMachineUser(at(0), "bot");
    await createGroup(at(0), "bots", { slugs: ["keyed"], emails: [bot.email] });
  });
  after(async () => {
    for (const service of services ?? []) await service.close();
    await upstream?.close();
  });

  const at = (n: number): Service => services[n] ?? assert.fail();
  const address = (path: string) => `/api/user/${path}?email=${bot.email}&mcp=keyed`;
  const connect = async (key: string) => {
    const answer = await at(0).api("PUT", address("api-key"), { key });
    assert.equal(answer.status, 200, answer.text);
  };
  const call = async (n: number) => {
    const answer = await at(n).mcp(bot.credential, callText({ era: "legacy", id: "7", tool: "keyed__echo" }));
    return answer.body?.result !== undefined && !answer.body.result.isError;
  };
  /** Changes by another process apply a little later. */
  const callUntilItWorks = async (n: number) => {
    while (!(await call(n)));
  };
  const sessionsOf = (httpMethod: string, key: string) =>
    upstream.seen
      .filter((seen) => seen.httpMethod === httpMethod && seen.headers.authorization === `Bearer ${key}`)
      .filter((seen) => httpMethod === "DELETE" || seen.method === "tools/call")
      .map((seen) => seen.headers["mcp-session-id"]);
  const areEnded = (key: string) => {
    const ended = sessionsOf("DELETE", key);
    return sessionsOf("POST", key).every((session) => ended.includes(session));
  };

  it("ends its sessions at the server on both processes, and the next one gets new sessions", async () => {
    await connect("first");
    for (const n of [0, 1]) await callUntilItWorks(n);
    assert.equal(new Set(sessionsOf("POST", "first")).size, 2);
    await connect("second");
    await until(() => areEnded("first"));
    for (const n of [0, 1]) await callUntilItWorks(n);
    assert.equal((await at(0).api("DELETE", address("connection"))).status, 200);
    await until(() => areEnded("second"));
    while (await call(1));
  });
});
