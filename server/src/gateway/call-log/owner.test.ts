import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { createOwnerMonitor, systemProcesses, writeOwner } from "./owner.ts";
import { ownerPath } from "./spool-paths.ts";

describe("spool owner", () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "gatehouse-owner-"));
  });
  after(() => rm(directory, { recursive: true }));

  it("is alive as long as its process runs, and is distinct from a later process with the same pid", async () => {
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

  it("is looked up in the process table when it runs on the same host", () => {
    writeOwner(directory, "spl_here", { host: "here", pid: 1, startedAt: "" });
    writeOwner(directory, "spl_gone", { host: "here", pid: 2, startedAt: "" });
    const processes = {
      self: () => ({ host: "here", pid: 3, startedAt: "" }),
      isRunning: ({ pid }: { pid: number }) => pid === 1,
    };
    const monitor = createOwnerMonitor(directory, processes, systemClock);
    assert.equal(monitor.isAlive("spl_here"), true);
    assert.equal(monitor.isAlive("spl_gone"), false);
    assert.equal(monitor.isAlive("spl_without_owner"), false);
  });

  it("on another host or with an incomplete file, is dead only after a long time without a heartbeat by the local clock", async () => {
    let monotonic = 0;
    const clock = { ...systemClock, monotonic: () => monotonic };
    const monitor = createOwnerMonitor(directory, systemProcesses, clock);
    writeOwner(directory, "spl_far", { host: "elsewhere", pid: process.pid, startedAt: "" });
    await writeFile(ownerPath(directory, "spl_half"), '{"host":');
    for (const spool of ["spl_far", "spl_half"]) assert.equal(monitor.isAlive(spool), true);
    monotonic += 119_000;
    await utimes(ownerPath(directory, "spl_far"), 5, 5);
    for (const spool of ["spl_far", "spl_half"]) assert.equal(monitor.isAlive(spool), true);
    monotonic += 2_000;
    assert.equal(monitor.isAlive("spl_far"), true);
    assert.equal(monitor.isAlive("spl_half"), false);
  });
});
