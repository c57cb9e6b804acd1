import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type EnforcedHome, quarantineNamed, restoreNamed } from "./enforce-home.ts";
import { CONFIG } from "./enforced-device.ts";
import { write } from "./fake-home.ts";
import { runCli } from "./run-cli.ts";

const INTERRUPT = fileURLToPath(new URL("interrupt-enforcement.ts", import.meta.url));
const TEXT = CONFIG.replace('"good": {', '"worse": { "url": "https://b.evil.example" }, // two\n    "good": {');
const SKILL = "---\nname: bad\ndescription: x\n---\n";
const SKILL_FILES = ["skills", "skills/bad", "skills/bad/SKILL.md", "skills/bad/scripts", "skills/bad/scripts/run.sh"];
/** A file system in memory, so folders cannot be renamed from there to a home. */
const OTHER_DISK = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A home with two servers in one file and a skill. `disk` has the folder with the state. */
class Device implements EnforcedHome {
  readonly home = mkdtempSync(join(tmpdir(), "home-"));
  readonly state: string;

  constructor(disk: string) {
    this.state = mkdtempSync(join(disk, "state-"));
    write(join(this.home, ".cursor/mcp.json"), TEXT);
    write(join(this.home, ".claude/skills/bad/SKILL.md"), SKILL);
    write(join(this.home, ".claude/skills/bad/scripts/run.sh"), "#!/bin/sh\n");
  }

  config(): string {
    return readFileSync(join(this.home, ".cursor/mcp.json"), "utf8");
  }

  files(folder: string): string[] {
    return readdirSync(join(this.home, folder), { recursive: true, encoding: "utf8" }).sort();
  }

  delete(): void {
    for (const path of [this.home, this.state]) rmSync(path, { recursive: true, force: true });
  }
}

const STEPS = {
  "the first quarantine": { before: [], action: "quarantine", names: ["evil", "bad"] },
  "another quarantine in the same file": { before: ["evil"], action: "quarantine", names: ["worse", "bad"] },
  "the restore of a part": { before: ["evil", "worse", "bad"], action: "restore", names: ["worse", "bad"] },
  "the restore of everything": { before: ["evil", "worse", "bad"], action: "restore", names: ["evil", "worse", "bad"] },
} as const;

describe("enforcement that is interrupted", () => {
  for (const [name, { before, action, names }] of Object.entries(STEPS)) {
    for (const [fault, interruption] of [
      ["kill", "at any change by a kill"],
      ["full", "by a full disk"],
    ] as const) {
      for (const [disk, where] of [
        [tmpdir(), ""],
        [OTHER_DISK, ", with the state on another disk"],
      ] as const) {
        it(`restores the same bytes after ${name} is interrupted ${interruption}${where}`, async () => {
          for (let at = 1, isInterrupted = true; isInterrupted; at++) {
            const device = new Device(disk);
            mkdirSync(device.state, { recursive: true });
            if (before.length > 0) quarantineNamed(device, before);
            const { code, stderr } = await runCli(
              [device.home, device.state, action, names.join(","), fault, String(at)],
              {},
              [process.execPath, INTERRUPT],
            );
            isInterrupted = code !== 0;
            const change = `change ${at}: ${stderr}`;
            restoreNamed(device);
            assert.equal(device.config(), TEXT, change);
            assert.deepEqual(device.files(".cursor"), ["mcp.json"], change);
            assert.deepEqual(device.files(".claude"), SKILL_FILES, change);
            device.delete();
          }
        });
      }
    }
  }

  for (const action of ["quarantine", "restore"]) {
    it(`keeps a skill that was added after a ${action} to another disk was killed, and the one before`, async () => {
      for (let at = 1, isInterrupted = true; isInterrupted; at++) {
        const device = new Device(OTHER_DISK);
        mkdirSync(device.state, { recursive: true });
        if (action === "restore") quarantineNamed(device, ["bad"]);
        const args = [device.home, device.state, action, "bad", "kill", String(at)];
        isInterrupted = (await runCli(args, {}, [process.execPath, INTERRUPT])).code !== 0;
        const path = join(device.home, ".claude/skills/bad");
        if (!existsSync(path)) {
          write(join(path, "SKILL.md"), "another");
          assert.throws(() => restoreNamed(device), /added in the meantime/, `change ${at}`);
          assert.equal(readFileSync(join(path, "SKILL.md"), "utf8"), "another", `change ${at}`);
          rmSync(path, { recursive: true });
        }
        restoreNamed(device);
        assert.deepEqual(device.files(".claude"), SKILL_FILES, `change ${at}`);
        assert.equal(readFileSync(join(path, "SKILL.md"), "utf8"), SKILL, `change ${at}`);
        device.delete();
      }
    });
  }
});
