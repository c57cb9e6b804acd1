/** Moves skills to the quarantine and back. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Decision } from "#policy/policy-types";
import type { FoundSkill } from "../discover/skills.ts";
import { asOwner } from "../homes.ts";
import { CannotEdit } from "./edit-config.ts";
import { keyOf, type Quarantine, type QuarantinedSkill } from "./quarantine.ts";

export function quarantineSkill(
  quarantine: Quarantine,
  stateDir: string,
  { item, origin }: FoundSkill,
  decision: Decision,
  now: string,
): void {
  const { path, home } = origin;
  if (item.source === "managed" || item.source === "builtin")
    throw new CannotEdit("the skill is part of the system or of its client");
  const id = keyOf(path, item.digest);
  const folder = join(skillStore(stateDir, home), id);
  const isLink = asOwner(home, () => {
    assertInside(home, dirname(path));
    return lstatSync(path).isSymbolicLink();
  });
  const link_target = isLink ? asOwner(home, () => readlinkSync(path)) : null;
  const moved_to = isLink ? null : folder;
  quarantine.add({
    id,
    kind: "skill",
    home,
    path,
    moved_to,
    link_target,
    item,
    quarantined_at: now,
    reason: decision.reason,
  });
  try {
    asOwner(home, () => (isLink ? unlinkSync(path) : move(path, folder)));
  } catch (error) {
    quarantine.remove(id);
    throw error;
  }
}

export function restoreSkill(
  quarantine: Quarantine,
  { id, home, path, moved_to, link_target }: QuarantinedSkill,
): void {
  asOwner(home, () => {
    mkdirSync(dirname(path), { recursive: true });
    assertInside(home, dirname(path));
    if (existsSync(path)) throw new CannotEdit("a skill with this name was added in the meantime");
    if (moved_to !== null) move(moved_to, path);
    else if (link_target !== null) symlinkSync(link_target, path);
  });
  quarantine.remove(id);
}

/** Root moves folders of users with their rights, so they stay in their home. */
function skillStore(stateDir: string, home: string): string {
  const isForeign = process.geteuid?.() === 0 && statSync(home).uid !== 0;
  return isForeign ? join(home, ".local", "state", "gatehouse-scan", "skills") : join(stateDir, "skills");
}

function assertInside(home: string, folder: string): void {
  const root = realpathSync.native(home);
  if (!`${realpathSync.native(folder)}${sep}`.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new CannotEdit("the folder is outside of the home folder");
  }
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}
