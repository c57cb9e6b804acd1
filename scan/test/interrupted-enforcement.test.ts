import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { copyFolder } from "./copy-folder.ts";
import { type EnforcedHome, quarantineNamed, restoreNamed } from "./enforce-home.ts";
import { CONFIG } from "./enforced-device.ts";
import { write } from "./fake-home.ts";
import type { FaultyAction, FaultyResult } from "./interrupt-enforcement.ts";

const INTERRUPT = fileURLToPath(new URL("interrupt-enforcement.ts", import.meta.url));
const TEXT = CONFIG.replace('"good": {', '"worse": { "url": "https://b.evil.example" }, // two\n    "good": {');
const SKILL = "---\nname: bad\ndescription: x\n---\n";
const SKILL_FILES = ["skills", "skills/bad", "skills/bad/SKILL.md", "skills/bad/scripts", "skills/bad/scripts/run.sh"];
/** Each step writes a file and renames it, at least. */
const LEAST_CHANGES = 2;
/** A file system in memory, so folders cannot be renamed from there to a home. */
const OTHER_DISK = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A home with two servers in one file and a skill. `disk` has the folder with the state. */
class Device implements EnforcedHome {
  readonly home = mkdtempSync(join(tmpdir(), "home-"));
  readonly state: string;
  /** On the same disks. */
  readonly copies: EnforcedHome;

  constructor(disk: string) {
    this.state = mkdtempSync(join(disk, "state-"));
    this.copies = { home: mkdtempSync(join(tmpdir(), "copies-")), state: mkdtempSync(join(disk, "copies-")) };
    this.reset();
  }

  reset(): void {
    for (const path of [this.home, this.state]) {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { mode: 0o700 });
    }
    write(join(this.home, ".cursor/mcp.json"), TEXT);
    write(join(this.home, ".claude/skills/bad/SKILL.md"), SKILL);
    write(join(this.home, ".claude/skills/bad/scripts/run.sh"), "#!/bin/sh\n");
  }

  /** Returns to the copy before a change. */
  returnToCopy(change: number): void {
    for (const part of ["home", "state"] as const) {
      rmSync(this[part], { recursive: true, force: true });
      copyFolder(join(this.copies[part], String(change)), this[part]);
    }
  }

  config(): string {
    return readFileSync(join(this.home, ".cursor/mcp.json"), "utf8");
  }

  files(folder: string): string[] {
    return readdirSync(join(this.home, folder), { recursive: true, encoding: "utf8" }).sort();
  }

  /** Each file with its mode and content. Names of temporary files contain the process and the time. */
  everything(): string[] {
    const withoutIds = (text: string) => text.replace(/\d+(?:-\d+)?\.tmp/g, "tmp");
    return [this.home, this.state].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: "utf8" })
        .map((path) => `${withoutIds(path)} ${contentOf(join(root, path))}`)
        .sort(),
    );
  }

  delete(): void {
    for (const path of [this.home, this.state, this.copies.home, this.copies.state]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  const content = stats.isFile() ? readFileSync(path, "base64") : stats.isSymbolicLink() ? readlinkSync(path) : "";
  return `${stats.mode.toString(8)} ${content}`;
}

const STEPS = {
  "the first quarantine": { before: [], action: "quarantine", names: ["evil", "bad"] },
  "another quarantine in the same file": { before: ["evil"], action: "quarantine", names: ["worse", "bad"] },
  "the restore of a part": { before: ["evil", "worse", "bad"], action: "restore", names: ["worse", "bad"] },
  "the restore of everything": { before: ["evil", "worse", "bad"], action: "restore", names: ["evil", "worse", "bad"] },
} as const;

describe("enforcement that is interrupted", () => {
  let actor: ChildProcess;
  before(() => {
    actor = fork(INTERRUPT);
  });
  after(() => actor.kill());

  const perform = async (device: Device, action: Omit<FaultyAction, "device">): Promise<FaultyResult> => {
    const { home, state } = device;
    assert.equal(actor.exitCode, null, "the process that performs actions ended");
    actor.send({ ...action, device: { home, state } } satisfies FaultyAction);
    const ended = new AbortController();
    const onClose = () => ended.abort();
    actor.once("close", onClose);
    try {
      const [result] = await once(actor, "message", { signal: ended.signal });
      return result;
    } finally {
      actor.off("close", onClose);
    }
  };

  const assertRestored = (device: Device, change: string) => {
    restoreNamed(device);
    assert.equal(device.config(), TEXT, change);
    assert.deepEqual(device.files(".cursor"), ["mcp.json"], change);
    assert.deepEqual(device.files(".claude"), SKILL_FILES, change);
  };

  for (const [name, { before: quarantined, action, names }] of Object.entries(STEPS)) {
    for (const [disk, where] of [
      [tmpdir(), ""],
      [OTHER_DISK, ", with the state on another disk"],
    ] as const) {
      it(`restores the same bytes after ${name} is interrupted at any change by a kill${where}`, async (t) => {
        const device = new Device(disk);
        t.after(() => device.delete());
        if (quarantined.length > 0) quarantineNamed(device, quarantined);
        const fault = { kind: "copy", folder: device.copies } as const;
        const { changes, failure } = await perform(device, { action, names, fault });
        assert.equal(failure, undefined);
        assert.ok(changes >= LEAST_CHANGES, `${changes}`);
        assertRestored(device, "no kill");
        for (let change = 1; change <= changes; change++) {
          device.returnToCopy(change);
          assertRestored(device, `change ${change}`);
        }
      });

      it(`restores the same bytes after ${name} is interrupted by a full disk${where}`, async (t) => {
        const device = new Device(disk);
        t.after(() => device.delete());
        for (let at = 1, isInterrupted = true; isInterrupted; at++) {
          device.reset();
          if (quarantined.length > 0) quarantineNamed(device, quarantined);
          const { failure } = await perform(device, { action, names, fault: { kind: "full", at } });
          isInterrupted = failure !== undefined;
          assertRestored(device, `change ${at}: ${failure}`);
        }
      });
    }
  }

  it("leaves what the copies of these tests contain when it is killed", async (t) => {
    const device = new Device(OTHER_DISK);
    t.after(() => device.delete());
    const step = { action: "quarantine", names: ["evil", "bad"] } as const;
    const { changes } = await perform(device, { ...step, fault: { kind: "copy", folder: device.copies } });
    const { home, state } = device;
    for (let at = 1; at <= changes; at++) {
      device.reset();
      const killed = fork(INTERRUPT);
      killed.send({ ...step, device: { home, state }, fault: { kind: "kill", at } } satisfies FaultyAction);
      assert.deepEqual(await once(killed, "close"), [null, "SIGKILL"]);
      const left = device.everything();
      device.returnToCopy(at);
      assert.deepEqual(left, device.everything(), `change ${at}`);
    }
  });

  for (const action of ["quarantine", "restore"] as const) {
    it(`keeps a skill that was added after a ${action} to another disk was killed, and the one before`, async (t) => {
      const device = new Device(OTHER_DISK);
      t.after(() => device.delete());
      if (action === "restore") quarantineNamed(device, ["bad"]);
      const fault = { kind: "copy", folder: device.copies } as const;
      const { changes } = await perform(device, { action, names: ["bad"], fault });
      const path = join(device.home, ".claude/skills/bad");
      let missing = 0;
      for (let change = 1; change <= changes; change++) {
        device.returnToCopy(change);
        if (!existsSync(path)) {
          missing++;
          write(join(path, "SKILL.md"), "another");
          assert.throws(() => restoreNamed(device), /added in the meantime/, `change ${change}`);
          assert.equal(readFileSync(join(path, "SKILL.md"), "utf8"), "another", `change ${change}`);
          rmSync(path, { recursive: true });
        }
        restoreNamed(device);
        assert.deepEqual(device.files(".claude"), SKILL_FILES, `change ${change}`);
        assert.equal(readFileSync(join(path, "SKILL.md"), "utf8"), SKILL, `change ${change}`);
      }
      assert.ok(missing > 0);
    });
  }
});
