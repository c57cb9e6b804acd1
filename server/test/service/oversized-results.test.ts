import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { MODERN_META, modernHeaders, rpc } from "#test/gateway-kit";
import { callAsModern } from "#test/modern-caller";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const LIMIT = 1_024;
/** The upstream writes each character as one byte. */
const latin1 = (message: object) => Buffer.from(JSON.stringify(message)).toString("latin1");

forEachApi("results above the limit of their server", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  let other: MachineUser;
  let result: object = {};
  before(async () => {
    upstream = await startRawUpstream();
    upstream.behave = ({ method, id }) =>
      method === "tools/call" ? { status: 200, body: latin1({ jsonrpc: "2.0", id: Number(id), result }) } : "json";
    await createSyncedServer(api.service, "Desk", upstream.url);
    bot = await createMachineUser(api.service, "bot");
    other = await createMachineUser(api.service, "other");
    await createGroup(api.service, "Support", { slugs: ["desk"], emails: [bot.email, other.email] });
    await limit(LIMIT);
  });
  after(() => upstream.close());

  const limit = async (result_limit_bytes: number | null) => {
    const answer = await api.call("PATCH", "/api/mcp-servers?slug=desk", { result_limit_bytes });
    assert.equal(answer.status, 200, answer.text);
  };
  const call = async (content: object[], rest: object = {}) => {
    result = { content, ...rest };
    const answer = await api.service.mcp(bot.credential, rpc("tools/call", { name: "desk__echo", arguments: {} }));
    return answer.body.result;
  };
  const read = async (uri: string, user = bot) =>
    (await api.service.mcp(user.credential, rpc("resources/read", { uri }))).body;
  const text = (value: string) => ({ type: "text", text: value });

  it("pass short results and results of servers without a limit unchanged", async () => {
    const long = "x".repeat(5_000);
    assert.deepEqual(await call([text("x".repeat(LIMIT))]), { content: [text("x".repeat(LIMIT))] });
    await limit(null);
    assert.deepEqual((await call([text(long)])).content, [text(long)]);
    await limit(LIMIT);
  });

  it("are cut at a character, end with a link, and can be read completely and in parts", async () => {
    const whole = `a${"é漢😀".repeat(1_000)}`;
    const { content } = await call([text(whole)]);
    assert.equal(content.length, 2);
    const [kept, link] = content;
    const bytes = Buffer.byteLength(kept.text);
    assert.ok(bytes <= LIMIT && bytes > LIMIT - 4, String(bytes));
    assert.ok(whole.startsWith(kept.text));
    assert.equal(link.type, "resource_link");
    assert.match(link.uri, /^gatehouse:\/\/results\/[A-Za-z0-9]{22}$/);
    assert.equal(link.size, Buffer.byteLength(whole));
    const complete = (await read(link.uri)).result;
    assert.deepEqual(complete.contents, [{ uri: link.uri, mimeType: "text/plain", text: whole }]);
    let parts = "";
    for (let offset = 0; offset < link.size; offset += 777) {
      parts += (await read(`${link.uri}?offset=${offset}&length=777`)).result.contents[0].text;
    }
    assert.equal(parts, whole);
    const rest = (await read(`${link.uri}?offset=${bytes}`)).result.contents[0].text;
    assert.equal(kept.text + rest, whole);
    assert.equal((await read(`${link.uri}?offset=999999`)).result.contents[0].text, "");
  });

  it("are cut and read in the same way by modern clients", async () => {
    result = { content: [text("x".repeat(5_000))] };
    const { last } = await callAsModern(api.service, bot.credential, "desk__echo");
    assert.equal(last.result.resultType, "complete");
    const [kept, { uri }] = last.result.content;
    assert.equal(kept.text.length, LIMIT);
    const request = rpc("resources/read", { uri, _meta: MODERN_META });
    const headers = modernHeaders("resources/read", uri);
    const { body } = await api.service.mcp(bot.credential, request, headers);
    assert.equal(body.result.contents[0].text.length, 5_000);
    assert.deepEqual([body.result.resultType, body.result.cacheScope], ["complete", "private"]);
  });

  it("keep other blocks and structured content, and count all texts together", async () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const structuredContent = { value: 1 };
    const blocks = [text("x".repeat(600)), image, text("y".repeat(600)), text("z".repeat(600))];
    const answer = await call(blocks, { structuredContent, isError: true });
    assert.deepEqual([answer.structuredContent, answer.isError], [structuredContent, true]);
    const [first, second, third, link] = answer.content;
    assert.deepEqual([first, second, third.text], [blocks[0], image, "y".repeat(LIMIT - 601)]);
    const all = (await read(link.uri)).result.contents[0].text;
    assert.equal(all, ["x", "y", "z"].map((letter) => letter.repeat(600)).join("\n"));
  });

  it("can be read by their caller only, and only while the caller can use the server", async () => {
    const { content } = await call([text("x".repeat(5_000))]);
    const { uri } = content[1];
    assert.equal((await read(uri, other)).error.message, "Resource not found");
    const unknown = `${uri.slice(0, -1)}${uri.endsWith("x") ? "y" : "x"}`;
    assert.equal((await read(unknown)).error.message, "Resource not found");
    assert.equal((await read("gatehouse://results/../x")).error.message, "Resource not found");
    assert.equal((await read(`${uri}?offset=-1`)).error?.message, "Resource not found");
    assert.equal((await read(`${uri}?offset=x`)).error.message, "offset and length must be numbers of bytes");
    await api.call("DELETE", `/api/groups/support/users?email=${bot.email}`);
    assert.equal((await read(uri)).error.message, "Resource not found");
    await api.call("POST", "/api/groups/support/users", { emails: [bot.email] });
    assert.equal((await read(uri)).result.contents[0].text.length, 5_000);
  });

  it("are checked by guards before they are cut, and sealed in the database", async () => {
    const guard = { name: "Cards", type: "runtime", action: "redact", enabled: true };
    const checks = [{ type: "pii", name: "Card", config: { entities: ["credit_card"] } }];
    assert.equal((await api.call("POST", "/api/guards", { ...guard, checks })).status, 201);
    const { content } = await call([text(`${"canary ".repeat(500)} card 4111 1111 1111 1111`)]);
    const all = (await read(content[1].uri)).result.contents[0].text;
    assert.ok(all.includes("[REDACTED") && !all.includes("4111"));
    const rows = await api.db.selectFrom("stored_results").selectAll().execute();
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes("canary"));
    await api.call("DELETE", "/api/guards?slug=cards");
  });

  it("keep the newest results of a caller", async () => {
    const links: string[] = [];
    for (let n = 0; n < 53; n++) links.push((await call([text(`${n} ${"x".repeat(2_000)}`)])).content[1].uri);
    assert.equal((await read(links[0] ?? "")).error.message, "Resource not found");
    assert.match((await read(links.at(-1) ?? "")).result.contents[0].text, /^52 /);
    const rows = await api.db.selectFrom("stored_results").select("id").execute();
    assert.equal(rows.length, 50);
  });

  it("expire after an hour", async () => {
    const { content } = await call([text("x".repeat(5_000))]);
    const hour = 60 * 60 * 1000;
    await api.db
      .updateTable("stored_results")
      .set({ created_at: Date.now() - hour - 1 })
      .execute();
    assert.equal((await read(content[1].uri)).error.message, "Resource not found");
  });

  it("have a limit from 1 KiB to 16 MiB", async () => {
    const message = "result_limit_bytes: must be an integer from 1024 to 16777216, or null";
    for (const result_limit_bytes of [0, 1_023, 16_777_217, "x", 1.5]) {
      await api.invalid(message, "PATCH", "/api/mcp-servers?slug=desk", { result_limit_bytes });
    }
    assert.equal((await api.call("GET", "/api/mcp-servers/desk")).body.data.result_limit_bytes, LIMIT);
  });
});
