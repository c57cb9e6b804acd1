import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { newDataDir, start } from "./start-command.ts";

const WRONG = 5_000;
const CONCURRENT = 20;

describe("a flood of wrong credentials (AUTH-6)", () => {
  let service: ReturnType<typeof start>;
  let url: string;
  let token: string;
  let key: string;
  before(async () => {
    const dataDir = await newDataDir();
    service = start({ DATA_DIR: dataDir });
    url = await service.served();
    token = readFileSync(join(dataDir, "admin-token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "Bot", is_machine_user: true });
    const made = await fetch(`${url}/api/users`, { method: "POST", headers, body });
    const { credentials } = (await made.json()) as { credentials: { client_id: string; secret: string } };
    key = `${credentials.client_id}:${credentials.secret}`;
  });
  after(async () => {
    service.child.kill("SIGTERM");
    await service.ended;
  });

  const readGroups = (credential: string) =>
    fetch(`${url}/api/groups`, { headers: { authorization: `Bearer ${credential}` } });
  const ping = (credential: string) =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
  const statusOf = async (answered: Promise<Response>) => {
    const answer = await answered;
    return { status: answer.status, text: await answer.text() };
  };

  for (const [where, send, wrongAt, valid] of [
    ["the API", readGroups, (n: number) => `gh_wrong_${n}`, () => token],
    ["the gateway", ping, (n: number) => `key${n}:secret${n}`, () => key],
  ] as const) {
    it(`at ${where} gets 401 each time, while every valid request from the same address succeeds`, async () => {
      const statuses = new Map<number, number>();
      let [sent, isOver] = [0, false];
      const flood = async () => {
        while (sent < WRONG / 2) {
          const { status } = await statusOf(send(wrongAt(sent++)));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const use = async () => {
        let uses = 0;
        for (; !isOver || uses === 0; uses++) {
          const { status, text } = await statusOf(send(valid()));
          assert.equal(status, 200, text);
        }
        return uses;
      };
      const used = use();
      await Promise.all(Array.from({ length: CONCURRENT }, flood));
      isOver = true;
      assert.ok((await used) > 0);
      for (const status of statuses.keys()) assert.ok(status === 401 || status === 429, String(status));
      assert.ok((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0) >= WRONG / 2);
    });
  }
});
