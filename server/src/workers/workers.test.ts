import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Browser } from "#test/browser";
import { forEachDatabase } from "#test/databases";
import { createMachineUser } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";
import { CALLERS, WorkerService } from "#test/worker-service";

const USERS = "/api/groups/bots/users";

forEachDatabase("a service with two workers (OPS-14)", (open) => {
  let workers: WorkerService;
  before(async () => {
    workers = await WorkerService.start(await open());
  });
  after(() => workers.close());

  const statuses = async (count: number, credential?: string) => {
    const found: number[] = [];
    for (let call = 0; call < count; call++) found.push((await workers.call(undefined, credential)).status);
    return found;
  };

  it("serves one port from both processes", async () => {
    const before = await workers.callsByWorker();
    assert.deepEqual(await statuses(20), Array(20).fill(200));
    const after = await workers.callsByWorker();
    const served = ["1", "2"].map((worker) => (after.get(worker) ?? 0) - (before.get(worker) ?? 0));
    assert.deepEqual(served, [10, 10]);
    assert.equal(workers.pids().length, 2);
  });

  it("answers every API request, whichever worker accepts it", async () => {
    for (let request = 0; request < 4; request++) {
      const answer = await workers.service.http("/api/groups", {
        headers: { authorization: `Bearer ${workers.service.token}`, connection: "close" },
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.data[0].name, "bots");
    }
    const { body } = await workers.service.api("GET", "/api/audit?limit=1");
    assert.equal(body.data[0].ip, "127.0.0.1");
  });

  it("applies a change in every worker before the API answers", async () => {
    for (let round = 0; round < 5; round++) {
      const user = await createMachineUser(workers.service, `round ${round}`);
      await workers.service.api("POST", USERS, { emails: [user.email] });
      assert.deepEqual(await statuses(2, user.credential), [200, 200]);
      const deleted = await workers.service.api("DELETE", `/api/users?email=${user.email}`);
      assert.ok(deleted.status < 300, deleted.text);
      assert.deepEqual(await statuses(2, user.credential), [401, 401]);
    }
  });

  it("counts the calls of all workers against the limits of a caller", async () => {
    const user = await createMachineUser(workers.service, "limited");
    await workers.service.api("POST", USERS, { emails: [user.email] });
    const set = (calls_per_minute: number | null) =>
      workers.service.api("PATCH", "/api/groups?name=bots", { limits: { calls_per_minute } });
    assert.equal((await set(6)).status, 200);
    assert.deepEqual(await statuses(6, user.credential), Array(6).fill(200));
    // Each worker has counted three of the calls, and soon learns about the others. Alone, it would allow three more.
    let more = 0;
    for (let allowed = 2; allowed > 0; more += allowed) {
      await sleep(1_000);
      allowed = (await statuses(2, user.credential)).filter((status) => status === 200).length;
    }
    assert.ok(more < 6, `${more} more calls were allowed`);
    assert.equal((await set(null)).status, 200);
  });

  it("restarts a killed worker and logs each answered call once", async () => {
    const killed = workers.pids().at(-1) ?? 0;
    const { answered, failures } = await workers.underLoad(async (untilAnswered) => {
      await untilAnswered(10 * CALLERS);
      process.kill(killed, "SIGKILL");
      await workers.untilServing(2, [killed]);
      await untilAnswered(10 * CALLERS);
    });
    // Only the calls that the killed process worked on.
    assert.ok(failures.length <= CALLERS, failures.join("\n"));
    const logged = await workers.loggedIds();
    assert.equal(new Set(logged).size, logged.length);
    assert.deepEqual(new Set(answered).difference(new Set(logged)), new Set());
    assert.match(await workers.metrics(), /^gatehouse_worker_restarts_total 1$/m);
  });

  it("closes a connection that a killed worker had not claimed", async () => {
    const killed = workers.pids().at(-1) ?? 0;
    process.kill(killed, "SIGSTOP");
    const calls = [1, 2].map(async () => (await workers.call().catch(() => undefined))?.status ?? "closed");
    // The worker that is left answers one. The other one is handed to the worker that is stopped.
    await Promise.race(calls);
    process.kill(killed, "SIGKILL");
    const outcomes = calls.map((call) => Promise.race([call, sleep(20_000, "waits")]));
    assert.deepEqual((await Promise.all(outcomes)).toSorted(), [200, "closed"]);
    await workers.untilServing(2, [killed]);
  });

  it("lets API requests wait while the control worker starts again", async () => {
    const [control = 0] = workers.pids();
    process.kill(control, "SIGKILL");
    const headers = { authorization: `Bearer ${workers.service.token}`, connection: "close" };
    const request = () => workers.service.http("/api/groups", { headers }).catch(() => undefined);
    // A connection that the killed process had accepted breaks. The worker that is left accepts all others.
    let answer = await request();
    for (; !answer; answer = await request()) await sleep(50);
    assert.equal(answer?.status, 200, answer?.text);
    await workers.untilServing(2, [control]);
  });

  it("accepts the setup link of the first start after the control worker started again (AUTH-11)", async () => {
    const code = /setup-link#(\S+)/.exec(workers.service.unexpectedOutput())?.[1] ?? "";
    const [control = 0] = workers.pids();
    process.kill(control, "SIGKILL");
    await workers.untilServing(2, [control]);
    const browser = new Browser(workers.service);
    await browser.get("/setup-link");
    const owner = { name: "Ada", email: "ada@example.com", password: GOOD_PASSWORD };
    const answer = await browser.submit("/setup-link", { code, ...owner });
    assert.deepEqual([answer.status, answer.headers.location], [303, "./"], answer.text);
    assert.equal((await browser.api("GET", "/api/me")).body.data.role, "owner");
  });

  it("fails no call while SIGHUP replaces all workers", async () => {
    const old = workers.pids();
    const rejected: string[] = [];
    let round = 0;
    const { answered, failures } = await workers.underLoad(async () => {
      process.kill(workers.service.pid, "SIGHUP");
      while (workers.pids().some((pid) => old.includes(pid))) {
        const settings = { show_draft_mcps: round++ % 2 === 0 };
        const answer = await workers.service.api("PATCH", "/api/groups?name=bots", { settings });
        if (answer.status !== 200) rejected.push(answer.text);
        // A worker that starts needs processor time too.
        await sleep(200);
      }
      await workers.untilServing(2, old);
    });
    assert.deepEqual(failures, []);
    assert.deepEqual(rejected, []);
    const logged = await workers.loggedIds();
    assert.equal(new Set(logged).size, logged.length);
    assert.deepEqual(new Set(answered).difference(new Set(logged)), new Set());
  });
});
