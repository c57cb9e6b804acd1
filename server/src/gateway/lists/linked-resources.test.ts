import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { ByteSource } from "#lib/json/byte-source";
import { createLogger } from "#lib/logger";
import { forEachApi } from "#test/api";
import { testClock } from "#test/clock";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { eraHeaders, requestText } from "#test/mcp-messages";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { readResponse } from "../envelope/read-response.ts";
import type { CallerRecords, RememberedLink } from "../ports.ts";
import { LinkedResources } from "./linked-resources.ts";

const HOUR_MS = 60 * 60_000;

describe("remembered links", () => {
  const stored = new Map<string, RememberedLink>();
  const records: Pick<CallerRecords, "rememberLinks" | "linkedServer"> = {
    rememberLinks: async (links) => links.forEach((link) => void stored.set(link.key, link)),
    linkedServer: async (key) => stored.get(key)?.serverId,
  };
  let clock = testClock();
  let links: LinkedResources;
  beforeEach(() => {
    stored.clear();
    clock = testClock();
    links = make();
  });
  const make = () =>
    new LinkedResources({ records: records as CallerRecords, clock, logger: createLogger("silent"), alone: true });
  const note = (content: unknown, user = "usr_1", server = "srv_1") => {
    const message = readResponse(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content } })));
    assert.ok(message.kind === "result");
    links.note(user, server, message);
  };
  const link = (uri: string) => ({ type: "resource_link", uri, name: "n" });

  it("belong to one user, and come from links and embedded resources", async () => {
    note([
      { type: "text", text: 'says {"type":"resource_link","uri":"a:text"}' },
      link("a:link"),
      { type: "resource", resource: { uri: "a:embedded", text: "body" } },
    ]);
    assert.equal(await links.find("usr_1", "a:link"), "srv_1");
    assert.equal(await links.find("usr_1", "a:embedded"), "srv_1");
    assert.equal(await links.find("usr_1", "a:text"), undefined);
    assert.equal(await links.find("usr_2", "a:link"), undefined);
  });

  it("of the last server replace those of others, and end after an hour", async () => {
    note([link("a:1")]);
    note([link("a:1")], "usr_1", "srv_2");
    assert.equal(await links.find("usr_1", "a:1"), "srv_2");
    stored.clear();
    clock.advance(HOUR_MS + 1);
    stored.clear();
    assert.equal(await links.find("usr_1", "a:1"), undefined);
  });

  it("are found by another process", async () => {
    note([link("a:1")]);
    clock.advance(200);
    assert.equal(await make().find("usr_1", "a:1"), "srv_1");
    assert.ok(
      [...stored.values()].every((row) => !JSON.stringify(row).includes("a:1")),
      "URIs are stored as hashes",
    );
  });

  it("are found wherever the chunks of a result end", async () => {
    const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [link("a:split")] } }));
    for (let cut = 1; cut < text.length; cut++) {
      links = make();
      const message = readResponse(new ByteSource([text.subarray(0, cut), text.subarray(cut)]));
      assert.ok(message.kind === "result");
      links.note("usr_1", `srv_${cut}`, message);
      assert.equal(await links.find("usr_1", "a:split"), `srv_${cut}`);
    }
  });

  it("are limited per result and in size, and nothing in a result can break the search", async () => {
    note(Array.from({ length: 150 }, (_, n) => link(`a:${n}`)));
    assert.deepEqual([await links.find("usr_1", "a:99"), await links.find("usr_1", "a:100")], ["srv_1", undefined]);
    note([
      link(`a:${"x".repeat(3_000)}`),
      "resource",
      { type: "resource", resource: "none" },
      { type: "resource_link" },
    ]);
    note({ type: "resource_link" });
    const text = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":"b:1","uri":"b:2"}]}}';
    const twice = readResponse(new ByteSource(Buffer.from(text)));
    if (twice.kind === "result") links.note("usr_1", "srv_1", twice);
  });
});

forEachApi("resources that tools link to", (api) => {
  let linker: RawUpstream;
  let other: RawUpstream;
  let bot: MachineUser;
  let stranger: MachineUser;
  before(async () => {
    const resources = { list: [{ uri: "file:///listed", name: "listed" }], readable: /^file:\/\/\/(?:linked|secret)/ };
    linker = await startRawUpstream({ resources });
    linker.behave = ({ method, id, era }) => {
      if (method !== "tools/call") return "json";
      const content = [{ type: "resource_link", uri: "file:///linked/1", name: "one" }];
      const result = { content, ...(era === "modern" && { resultType: "complete" }) };
      return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: Number(id), result }) };
    };
    other = await startRawUpstream({ resources: { list: [], readable: /^file:/ } });
    bot = await createMachineUser(api.service, "Bot");
    stranger = await createMachineUser(api.service, "Stranger");
    const slugs = [
      await createSyncedServer(api.service, "Linker", linker.url),
      await createSyncedServer(api.service, "Other", other.url),
    ];
    await createGroup(api.service, "Callers", { slugs, emails: [bot.email, stranger.email] });
  });
  after(() => Promise.all([linker.close(), other.close()]));

  const post = (path: string, era: "legacy" | "modern", method: string, name: string, caller = bot) => {
    const member = method === "resources/read" ? "uri" : "name";
    return api.service.http(path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${caller.credential}`,
        "content-type": "application/json",
        ...eraHeaders(era, method, name),
      },
      body: requestText(era, method, [`"${member}":${JSON.stringify(name)}`]),
    });
  };
  const read = async (path: string, uri: string, caller = bot, era: "legacy" | "modern" = "modern") =>
    (await post(path, era, "resources/read", uri, caller)).body.result?.contents?.[0]?.uri;

  it("can be read at the URL of their server, without a link", async () => {
    for (const era of ["modern", "legacy"] as const) {
      assert.equal(await read("/mcp/linker", "file:///linked/0", bot, era), "file:///linked/0");
      assert.equal(await read("/mcp?mcp=linker", "file:///linked/0", bot, era), "file:///linked/0");
      assert.equal(await read("/mcp", "mcp+linker:file:///linked/0", bot, era), "file:///linked/0");
    }
    assert.equal(await read("/mcp/linker", "file:///unknown"), undefined, "the server decides");
  });

  it("can be read at /mcp by the caller who received the link, and by no other", async () => {
    for (const era of ["modern", "legacy"] as const) {
      assert.equal(await read("/mcp", "file:///linked/1", stranger, era), undefined, "no link yet");
    }
    assert.ok((await post("/mcp", "modern", "tools/call", "linker__echo")).body.result);
    assert.equal(await read("/mcp", "file:///linked/1"), "file:///linked/1");
    assert.equal(await read("/mcp", "file:///linked/1", bot, "legacy"), "file:///linked/1");
    assert.equal(await read("/mcp", "file:///linked/1", stranger), undefined, "the link is not for others");
    assert.equal(await read("/mcp", "file:///linked/2"), undefined, "only this URI");
    assert.ok(other.count("resources/read") === 0);
  });

  it("cannot be read without access to the server, and are logged without their URI", async () => {
    await api.call("PATCH", "/api/mcp-servers?slug=linker", { status: "draft" });
    assert.equal(await read("/mcp", "file:///linked/1"), undefined);
    assert.equal(await read("/mcp/linker", "file:///linked/1"), undefined);
    await api.call("PATCH", "/api/mcp-servers?slug=linker", { status: "active" });
    assert.equal(await read("/mcp", "file:///linked/1"), "file:///linked/1");
    const { data } = (await api.call("GET", "/api/logs?server=linker&limit=50")).body;
    const tools = new Set(data.map(({ tool }: { tool: string }) => tool));
    assert.ok(tools.has("(unlisted resource)"), [...tools].join());
    assert.ok(!JSON.stringify([...tools]).includes("linked/"), "unlisted URIs are not kept");
  });

  it("cannot be read while they are held for review", async () => {
    await api.call("PATCH", "/api/mcp-servers?slug=linker", { tool_policy: "hold" });
    linker.resources = {
      list: [{ uri: "file:///secret", name: "secret" }],
      templates: [{ uriTemplate: "file:///linked/held/{n}", name: "held" }],
      readable: /^file:/,
    };
    do await api.call("POST", "/api/mcp-servers/linker/sync");
    while ((await api.call("GET", "/api/mcp-servers/linker")).body.data.tools_held_count < 2);
    assert.equal(await read("/mcp/linker", "file:///secret"), undefined);
    assert.equal(await read("/mcp/linker", "file:///linked/held/1"), undefined);
    assert.equal(await read("/mcp/linker", "file:///linked/1"), "file:///linked/1");
    await api.call("POST", "/api/mcp-servers/linker/tools/accept");
    assert.equal(await read("/mcp/linker", "file:///secret"), "file:///secret");
  });
});
