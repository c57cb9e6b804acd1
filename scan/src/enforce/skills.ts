/** Moves skills to the quarantine and back. */
import {
  chmodSync,
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
import { basename, dirname, join, sep } from "node:path";
import type { Decision } from "#policy/policy-types";
import type { FoundSkill } from "../discover/skills.ts";
import { asOwner } from "../homes.ts";
import { withoutLinks } from "./config-file.ts";
import { CannotEdit } from "./edit-config.ts";
import { keyOf, type Quarantine, type QuarantinedSkill } from "./quarantine.ts";

/** Several clients can find the same skill, if their folders of skills are links. */
export function skillPathOf({ origin: { home, path } }: FoundSkill): string {
  return join(withoutLinks({ home, path: dirname(path) }), basename(path));
}

/** Moves the folder that these skills share. */
export function quarantineSkill(
  quarantine: Quarantine,
  stateDir: string,
  [found, ...others]: readonly [FoundSkill, ...FoundSkill[]],
  decision: Decision,
  now: string,
): void {
  const { item, origin } = found;
  const { home } = origin;
  const path = skillPathOf(found);
  const shared = others.map((each) => each.item);
  if ([item, ...shared].some(({ source }) => source === "managed" || source === "builtin"))
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
    ...(shared.length > 0 && { shared }),
    quarantined_at: now,
    reason: decision.reason,
  });
  try {
    asOwner(home, () => (isLink ? unlinkSync(path) : move(path, folder, id)));
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
    if (moved_to === null) restoreLink(link_target, path);
    else restoreFolder(moved_to, path, id);
  });
  quarantine.remove(id);
}

/** A process that was killed can have moved the folder back already, a part of it, or nothing. */
function restoreFolder(stored: string, path: string, id: string): void {
  const isCopied = existsSync(path) && !existsSync(unfinished(path, id));
  if (!existsSync(stored) && !isCopied && existsSync(setAside(stored, id))) renameSync(setAside(stored, id), stored);
  const source = [stored, setAside(path, id)].find((each) => existsSync(each));
  if (source !== undefined && existsSync(path))
    throw new CannotEdit("a skill with this name was added in the meantime");
  if (source === undefined && !existsSync(path)) throw new CannotEdit("the skill is missing in the quarantine");
  if (source === stored) {
    removeLeftovers(path, id);
    move(stored, path, id);
  } else if (source !== undefined) renameSync(source, path);
  for (const each of [stored, path]) removeLeftovers(each, id);
}

function restoreLink(target: string | null, path: string): void {
  if (target === null || linkAt(path) === target) return;
  if (existsSync(path)) throw new CannotEdit("a skill with this name was added in the meantime");
  symlinkSync(target, path);
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
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

/** The target is complete or does not exist, and until it is complete, the source is. */
function move(from: string, to: string, id: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    moveToOtherDisk(from, to, id);
  }
}

/** The unfinished copy exists from before the source is set aside until the copy is complete. */
function moveToOtherDisk(from: string, to: string, id: string): void {
  for (const each of [from, to]) removeLeftovers(each, id);
  const [source, copy] = [setAside(from, id), unfinished(to, id)];
  mkdirSync(copy);
  renameSync(from, source);
  try {
    cpSync(source, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    chmodSync(copy, statSync(source).mode & 0o7777);
    renameSync(copy, to);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    renameSync(source, from);
    throw error;
  }
  rmSync(source, { recursive: true, force: true });
}

/** Where a folder is while it is copied. Not next to other skills, because clients read all folders there. */
function setAside(path: string, id: string): string {
  return join(dirname(dirname(path)), `.gatehouse-${id}.moved`);
}

function unfinished(path: string, id: string): string {
  return join(dirname(dirname(path)), `.gatehouse-${id}.tmp`);
}

function removeLeftovers(path: string, id: string): void {
  for (const each of [setAside(path, id), unfinished(path, id)]) rmSync(each, { recursive: true, force: true });
}
