import assert from "node:assert/strict";
import { test } from "node:test";
import { createEgress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { noLocalServers } from "#test/upstreams/caller";
import { HOSTILE_ANSWERS, SECRET } from "#test/upstreams/hostile-answers";
import { startRawUpstream } from "#test/upstreams/raw";
import { UpstreamFault } from "../failure.ts";
import { listUpstream } from "./list.ts";

const LISTS = [
  ["prompts/list", "prompts", "prompts"],
  ["resources/list", "resources", "resources"],
  ["resources/templates/list", "resourceTemplates", "resource templates"],
] as const;

for (const [method, kind, words] of LISTS) {
  test(`fails with a clear message for any hostile response to ${method}, without losing other lists (GW-9, GW-10)`, async (t) => {
    const upstream = await startRawUpstream({
      prompts: [{ name: "greet" }],
      resources: { list: [{ uri: "x:1", name: "x" }], templates: [{ uriTemplate: "x:{n}", name: "n" }] },
    });
    const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
    t.after(async () => {
      egress.close();
      await upstream.close();
    });
    const logger = createLogger("silent");
    const parts = { egress, clock: systemClock, logger, localServers: noLocalServers(systemClock) };
    const list = () => listUpstream(parts, { url: upstream.url, transport: "http" });
    const whole = await list();
    for (const { what, answer: raw, error } of HOSTILE_ANSWERS) {
      await t.test(what, async () => {
        upstream.behave = (seen) => (seen.method === method ? { raw } : "json");
        const { [kind]: read, ...others } = await list();
        upstream.behave = () => "json";
        const { [kind]: _, ...wholeOthers } = whole;
        assert.deepEqual(others, wholeOthers);
        if (!error) return assert.deepEqual(read, []);
        assert.ok(read instanceof UpstreamFault);
        const { message } = read.describe("hostile");
        const wanted = new RegExp(error.source.replaceAll("list of tools", `list of ${words}`));
        assert.match(/^Server "hostile" (.*)$/.exec(message)?.[1] ?? message, wanted);
        for (const leak of [SECRET, "127.0.0.1"]) assert.equal(message.includes(leak), false, message);
      });
    }
    assert.deepEqual(await list(), whole);
  });
}
