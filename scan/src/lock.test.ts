import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { emptyHome, type FakeHome } from "../test/fake-home.ts";
import { acquireLock } from "./lock.ts";

describe("the lock", () => {
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  let fake: FakeHome;
  let lock: string;

  before(() => {
    fake = emptyHome();
    lock = join(fake.root, "lock");
  });
  beforeEach(() => rmSync(lock, { force: true }));
  after(() => {
    other.kill();
    rmSync(fake.root, { recursive: true });
  });

  function startTimeOf(pid: number | undefined): number {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return Number(fields.split(" ")[19]);
  }

  it("is held by the process that it names, also if an earlier version wrote it", () => {
    writeFileSync(lock, String(other.pid));
    assert.throws(() => acquireLock(lock), /Another gatehouse-scan is running\. If it is not, delete /);
    if (process.platform !== "linux") return;
    writeFileSync(lock, `${other.pid} ${startTimeOf(other.pid)}`);
    assert.throws(() => acquireLock(lock), /Another gatehouse-scan is running/);
  });

  it("is ignored if this process has the ID of the one that wrote it, as in a container that started again", () => {
    writeFileSync(lock, String(process.pid));
    acquireLock(lock);
    acquireLock(lock);
  });

  it("is ignored if it was written before the system started", () => {
    writeFileSync(lock, String(other.pid));
    const beforeStart = Date.now() / 1000 - uptime() - 60;
    utimesSync(lock, beforeStart, beforeStart);
    acquireLock(lock);
  });

  it("is ignored if its process ID belongs to a process that started later", () => {
    if (process.platform !== "linux") return;
    acquireLock(lock);
    assert.equal(readFileSync(lock, "utf8"), `${process.pid} ${startTimeOf(process.pid)}`);
    writeFileSync(lock, `${other.pid} ${startTimeOf(other.pid) - 1}`);
    acquireLock(lock);
  });

  it("is ignored if its process ended, or if it is damaged", () => {
    for (const content of ["999999999", "999999999 1", "", "x", "-1"]) {
      writeFileSync(lock, content);
      acquireLock(lock);
    }
  });
});
