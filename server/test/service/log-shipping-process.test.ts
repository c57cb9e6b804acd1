import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startWebhookReceiver } from "../webhook-receiver.ts";
import { expireClaims } from "./expire-claims.ts";
import { newDataDir, start } from "./start-command.ts";

const TOKEN = "token-of-the-service-that-ships-logs";
const CHANGES = 40;

async function request(url: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}${path}`, init);
  assert.ok(response.ok, `${path}: ${response.status}`);
  return JSON.parse(await response.text());
}

interface Line {
  readonly id: string;
  readonly seq: number;
  readonly target: { readonly name: string };
}

describe("a process that ships logs", () => {
  it("loses no record when it is killed in the middle, and repeats only the batch without a response", async (t) => {
    const receiver = await startWebhookReceiver();
    t.after(() => receiver.close());
    const linesOf = (body: string): Line[] =>
      body
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const held = Promise.withResolvers<void>();
    const [confirmed, unconfirmed]: [Line[], Line[]] = [[], []];
    // After half of the records, the receiver stores a batch but does not respond.
    let isHolding = false;
    receiver.answer = (response, { body }) => {
      if (isHolding) {
        unconfirmed.push(...linesOf(body));
        held.resolve();
        return;
      }
      confirmed.push(...linesOf(body));
      response.end();
    };
    const dataDir = await newDataDir();
    const settings = { DATA_DIR: dataDir, GATEHOUSE_BOOTSTRAP_TOKEN: TOKEN };
    const first = start(settings);
    const url = await first.served();
    const destination = { kind: "webhook", sources: ["audit"], url: receiver.url };
    await request(url, "POST", "/api/log-destinations", { ...destination, name: "Archive" });
    const change = async (n: number) => void (await request(url, "POST", "/api/groups", { name: `Group ${n}` }));
    for (let n = 1; n <= CHANGES / 2; n++) await change(n);
    for (let tries = 0; confirmed.length < CHANGES / 2 && tries < 1_200; tries++) await sleep(50);
    assert.ok(confirmed.length >= CHANGES / 2, `${confirmed.length} records arrived`);
    isHolding = true;
    for (let n = CHANGES / 2 + 1; n <= CHANGES; n++) await change(n);
    await held.promise;
    first.child.kill("SIGKILL");
    await once(first.child, "close");
    isHolding = false;
    await expireClaims(dataDir);
    const beforeRestart = confirmed.length;
    const second = start(settings);
    const restarted = await second.served();
    const names = () => new Set(confirmed.map(({ target }) => target.name));
    for (let tries = 0; !names().has(`Group ${CHANGES}`) && tries < 1_200; tries++) await sleep(50);
    const expected = Array.from({ length: CHANGES }, (_, at) => `Group ${at + 1}`);
    assert.deepEqual(
      expected.filter((name) => !names().has(name)),
      [],
    );
    const ids = confirmed.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, "a confirmed batch was repeated");
    const repeated = new Set(confirmed.slice(beforeRestart).map(({ id }) => id));
    for (const { id } of unconfirmed) assert.ok(repeated.has(id), `${id} was not repeated with the same ID`);
    const seqs = confirmed.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
      "the order of the log",
    );
    const { data } = await request(restarted, "GET", "/api/log-destinations");
    assert.deepEqual([data[0].status, data[0].cursors[0].lost_records], ["current", 0]);
    second.child.kill("SIGTERM");
    await second.ended;
  });
});
