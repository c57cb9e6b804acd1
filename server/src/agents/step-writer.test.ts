import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { listSteps } from "#records/agents";
import type { MainDb } from "#storage/database";
import { newAgent, newSession } from "#test/agent-rows";
import { forEachDatabase } from "#test/databases";
import { StepWriter } from "./step-writer.ts";

const HOLDER = "process-1";
const SESSIONS = ["ses_a", "ses_b", "ses_c"];

forEachDatabase("the writer of steps", (open) => {
  let db: MainDb;
  let writer: StepWriter;
  let transactions = 0;

  beforeEach(async () => {
    db = (await open()).databases.main;
    await db.insertInto("agents").values(newAgent("agt_busy", "active")).execute();
    const running = { status: "running", claimed_by: HOLDER, claimed_until: 10, ended_at: null } as const;
    const rows = SESSIONS.map((id) => ({ ...newSession(id, "busy", "queued"), ...running }));
    await db.insertInto("agent_sessions").values(rows).execute();
    transactions = 0;
    const counted = new Proxy(db, {
      get(target, name) {
        if (name === "transaction") transactions++;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    writer = new StepWriter({ db: counted, holder: HOLDER });
  });

  const write = (session: string, position: number) => {
    const usage = { steps: position + 1, tool_calls: position, input_tokens: 10 * position, output_tokens: 2 };
    const data = JSON.stringify({ role: "assistant", text: `"${session}" \u0000 ${position}` });
    const row = { session_id: session, position, type: "model", data, started_at: 5, duration_ms: 1 } as const;
    return writer.write({ row, usage });
  };
  const positions = async (session: string) =>
    (await listSteps(db, session, { offset: 0, limit: 100 })).map(({ position }) => position);

  it("stores what arrives while it writes in one transaction, with the latest usage of each session", async () => {
    const first = write("ses_a", 0);
    const more = [1, 2, 3].flatMap((position) => [write("ses_a", position), write("ses_b", position)]);
    assert.deepEqual(await Promise.all([first, ...more]), Array(7).fill(true));
    assert.equal(transactions, 1);
    await Promise.all([write("ses_a", 4), write("ses_b", 4)]);
    assert.equal(transactions, 2);
    assert.deepEqual(
      [await positions("ses_a"), await positions("ses_b")],
      [
        [0, 1, 2, 3, 4],
        [1, 2, 3, 4],
      ],
    );
    const [step] = await listSteps(db, "ses_b", { offset: 0, limit: 1 });
    assert.deepEqual([JSON.parse(step?.data ?? "").text, step?.started_at], ['"ses_b" \u0000 1', 5]);
    const usages = db.selectFrom("agent_sessions").select(["steps", "tool_calls", "input_tokens", "output_tokens"]);
    assert.deepEqual(await usages.where("id", "=", "ses_a").executeTakeFirst(), {
      ...{ steps: 5, tool_calls: 4, input_tokens: 40, output_tokens: 2 },
    });
  });

  it("writes nothing for sessions that another process ended or holds", async () => {
    await db.updateTable("agent_sessions").set({ ended_at: 9 }).where("id", "=", "ses_a").execute();
    await db.updateTable("agent_sessions").set({ claimed_by: "process-2" }).where("id", "=", "ses_b").execute();
    const held = await Promise.all(SESSIONS.map((session) => write(session, 0)));
    assert.deepEqual(held, [false, false, true]);
    assert.deepEqual([await positions("ses_a"), await positions("ses_b"), await positions("ses_c")], [[], [], [0]]);
  });

  it("stores the steps of other sessions when those of one cannot be stored", async () => {
    await write("ses_a", 0);
    const written = await Promise.allSettled([write("ses_a", 0), write("ses_b", 0), write("ses_c", 0)]);
    assert.deepEqual(
      written.map(({ status }) => status),
      ["rejected", "fulfilled", "fulfilled"],
    );
    assert.deepEqual([await positions("ses_b"), await positions("ses_c")], [[0], [0]]);
    assert.equal(await write("ses_a", 1), true, "it continues after a failure");
  });

  it("runs other writes between transactions, and continues after one failed", async () => {
    const seen: string[] = [];
    const first = write("ses_a", 0).then(() => seen.push("step"));
    const failed = writer.inOrder(async () => {
      seen.push("renewal");
      throw new Error("away");
    });
    const last = write("ses_a", 1).then(() => seen.push("step"));
    await assert.rejects(failed, /away/);
    await Promise.all([first, last]);
    assert.deepEqual(seen, ["step", "step", "renewal"]);
    assert.equal(await write("ses_a", 2), true);
  });
});
