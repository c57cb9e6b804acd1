import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { eventsOf } from "#test/gateway-kit";
import { type CallerEra, eraHeaders, requestText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type Eras, type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const ERAS = ["modern", "legacy"] as const;
const LONG = "a prompt / whose name clients refuse";
const PROMPTS = [
  { name: "greet", title: "Greet", description: "Says hello", arguments: [{ name: "who", required: true }] },
  { name: LONG },
];

onSqlite("prompts at the gateway", (open) => {
  let service: Service;
  let bot: MachineUser;
  const upstreams: RawUpstream[] = [];

  const startUpstream = async (eras: Eras, prompts: readonly object[] | undefined = PROMPTS) => {
    const upstream = await startRawUpstream({
      eras,
      ...(prompts && { prompts: prompts.map((one) => JSON.stringify(one)) }),
    });
    upstreams.push(upstream);
    return upstream;
  };

  before(async () => {
    service = await startService(await open());
    bot = await createMachineUser(service, "bot");
    for (const eras of ERAS) await createSyncedServer(service, eras, (await startUpstream(eras)).url);
    const plain = await startRawUpstream();
    upstreams.push(plain);
    await createSyncedServer(service, "plain", plain.url);
    await createGroup(service, "bots", { slugs: ["modern", "legacy", "plain"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams) await upstream.close();
  });

  const send = (
    era: CallerEra,
    method: string,
    members: string[] = [],
    name?: string,
    rest: Record<string, string> = {},
  ) => service.mcp(bot.credential, requestText(era, method, members), { ...eraHeaders(era, method, name), ...rest });
  const get = (era: CallerEra, name: string, given = "{}", rest: Record<string, string> = {}) =>
    send(era, "prompts/get", [`"name":${JSON.stringify(name)}`, `"arguments":${given}`], name, rest);
  const names = async (era: CallerEra): Promise<string[]> =>
    (await send(era, "prompts/list")).body.result.prompts.map((prompt: { name: string }) => prompt.name);

  for (const era of ERAS) {
    it(`are listed to a ${era} caller with their definitions and gateway names (D28)`, async () => {
      const { result } = (await send(era, "prompts/list")).body;
      const [greet, long, ...others] = result.prompts;
      assert.deepEqual(greet, { ...PROMPTS[0], name: "legacy__greet" });
      assert.match(long.name, /^legacy__a-prompt-whose-name-clients-refuse-[0-9a-f]{8}$/);
      assert.deepEqual(
        others.map((prompt: { name: string }) => prompt.name.split("__")[0]),
        ["modern", "modern"],
      );
      assert.equal(result.cacheScope, era === "modern" ? "private" : undefined);
      assert.equal("ttlMs" in result, era === "modern");
    });

    for (const upstreamEra of ERAS) {
      it(`of a ${upstreamEra} upstream are returned to a ${era} caller byte for byte, and logged`, async () => {
        const answer = await get(era, `${upstreamEra}__greet`, '{"who": "\\u00fc", "n":12345678901234567890}');
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.body.result.messages, [{ role: "user", content: { type: "text", text: "greet" } }]);
        assert.ok(answer.text.includes('"given":{"who": "\\u00fc", "n":12345678901234567890}'));
        assert.equal(
          answer.body.result.resultType,
          era === "modern" || upstreamEra === "modern" ? "complete" : undefined,
        );
        const { data } = (await service.api("GET", "/api/logs?limit=1&method=prompts/get")).body;
        assert.deepEqual(
          [data[0].user_email, data[0].server_slug, data[0].tool, data[0].outcome],
          [bot.email, upstreamEra, "greet", "ok"],
        );
      });
    }

    it(`are found by their short and full names by a ${era} caller`, async () => {
      const [short = ""] = (await names(era)).filter((name) => name.startsWith("modern__a-"));
      for (const name of [short, `modern__${LONG}`]) {
        assert.equal((await get(era, name)).body.result.messages[0].content.text, LONG);
      }
    });

    it(`return the same error to a ${era} caller if unknown or inaccessible (D26)`, async () => {
      const answers = [await get(era, "nowhere__greet"), await get(era, "plain__greet"), await get(era, "greet")];
      for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [200, -32602]);
      assert.equal(answers[0]?.body.error.message, "Unknown prompt: nowhere__greet");
      const { data } = (await service.api("GET", "/api/logs?limit=1&method=prompts/get")).body;
      assert.equal(data[0].outcome, "denied");
    });
  }

  it("stream the progress that the caller requested", async () => {
    const upstream = await startUpstream("modern");
    await createSyncedServer(service, "slow", upstream.url);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: ["slow"] });
    upstream.behave = () => "sse-progress";
    const text = requestText("legacy", "prompts/get", ['"name":"slow__greet"', '"_meta":{"progressToken":"mine"}']);
    const accept = { accept: "application/json, text/event-stream" };
    const events = eventsOf((await service.mcp(bot.credential, text, accept)).text).map((event) => JSON.parse(event));
    assert.deepEqual(
      events.map((event) => event.params?.progressToken),
      ["mine", "mine", undefined],
    );
    assert.equal(events[2].result.messages.length, 1);
  });

  it("of a new server are available to its first caller", async () => {
    const { url } = await startUpstream("modern", [{ name: "young" }]);
    const slug = await createServer(service, "Young", url);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    assert.ok((await names("modern")).includes("young__young"));
  });

  it("are updated by each sync, kept while a list fails, and removed when the server moves", async () => {
    const upstream = await startUpstream("modern", [
      { name: "one" },
      { name: "bad", arguments: [{}] },
      { name: "two" },
    ]);
    const slug = await createSyncedServer(service, "Moving", upstream.url);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    const listed = async () => (await names("legacy")).filter((name) => name.startsWith("moving__"));
    const sync = async () => (await service.api("POST", `/api/mcp-servers/${slug}/sync`)).body.data.sync_error;
    assert.deepEqual(await listed(), ["moving__one", "moving__two"]);
    upstream.prompts = ['{"name":"three"}'];
    assert.equal(await sync(), null);
    assert.deepEqual(await listed(), ["moving__three"]);
    upstream.behave = ({ method }) => (method === "prompts/list" ? { status: 500 } : "json");
    assert.equal(await sync(), null);
    assert.deepEqual(await listed(), ["moving__three"]);
    const plain = JSON.stringify({ type: "http", url: upstreams[2]?.url });
    await service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { mcp_proxy: plain });
    assert.deepEqual(await listed(), []);
    assert.equal((await get("modern", "moving__three")).body.error.code, -32602);
  });

  it("are limited to one server at its URL, without prefixes there (D27)", async () => {
    const post = async (target: string, method: string, params: object = {}) => {
      const headers = { authorization: `Bearer ${bot.credential}`, "content-type": "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return (await service.http(target, { method: "POST", headers, body })).body;
    };
    const listed = async (target: string) =>
      (await post(target, "prompts/list")).result.prompts.map((one: { name: string }) => one.name);
    assert.equal((await listed("/mcp?mcp=legacy"))[0], "legacy__greet");
    assert.equal((await listed("/mcp/legacy"))[0], "greet");
    assert.equal((await post("/mcp/legacy", "prompts/get", { name: "greet" })).result.messages.length, 1);
    assert.equal((await post("/mcp/legacy", "prompts/get", { name: "modern__greet" })).result, undefined);
  });

  it("reject an invalid cursor, name, or arguments with a clear message", async () => {
    assert.equal((await send("legacy", "prompts/list", ['"cursor":"?"'])).body.error.message, "Invalid cursor");
    assert.equal((await send("legacy", "prompts/get")).body.error.message, "params.name must be a string");
    assert.equal((await get("legacy", "modern__greet", "[]")).body.error.message, "params.arguments must be an object");
  });
});
