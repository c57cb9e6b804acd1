import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { createOwnerJudge, systemProcesses, writeOwner } from "./owner.ts";
import { ownerPath } from "./spool-paths.ts";

describe("a spool's owner", () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "gatehouse-owner-"));
  });
  after(() => rm(directory, { recursive: true }));

  it("lives as long as its process, and a later process with the same pid is another one", async () => {
    const self = systemProcesses.self();
    assert.equal(systemProcesses.isRunning(self), true);
    assert.equal(systemProcesses.isRunning({ ...self, startedAt: "another start" }), false);
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    assert.equal(systemProcesses.isRunning({ ...self, pid: child.pid ?? 0 }), false);
  });

  it("is judged by the process table on its own host", () => {
    writeOwner(directory, "spl_here", { host: "here", pid: 1, startedAt: "" });
    writeOwner(directory, "spl_gone", { host: "here", pid: 2, startedAt: "" });
    const processes = {
      self: () => ({ host: "here", pid: 3, startedAt: "" }),
      isRunning: ({ pid }: { pid: number }) => pid === 1,
    };
    const judge = createOwnerJudge(directory, processes, systemClock);
    assert.equal(judge.isAlive("spl_here"), true);
    assert.equal(judge.isAlive("spl_gone"), false);
    assert.equal(judge.isAlive("spl_without_owner"), false);
  });

  it("on another host, or half written, it is dead only after a long silence by our own clock", async () => {
    let monotonic = 0;
    const clock = { ...systemClock, monotonic: () => monotonic };
    const judge = createOwnerJudge(directory, systemProcesses, clock);
    writeOwner(directory, "spl_far", { host: "elsewhere", pid: process.pid, startedAt: "" });
    await writeFile(ownerPath(directory, "spl_half"), '{"host":');
    for (const spool of ["spl_far", "spl_half"]) assert.equal(judge.isAlive(spool), true);
    monotonic += 119_000;
    await utimes(ownerPath(directory, "spl_far"), 5, 5);
    for (const spool of ["spl_far", "spl_half"]) assert.equal(judge.isAlive(spool), true);
    monotonic += 2_000;
    assert.equal(judge.isAlive("spl_far"), true);
    assert.equal(judge.isAlive("spl_half"), false);
  });
});
