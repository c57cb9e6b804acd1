/** Drops what is in quarantine, for items whose file, project or home is gone. */
import { existsSync, rmSync } from "node:fs";
import { asOwner } from "../homes.ts";
import type { Quarantine, QuarantinedItem } from "./quarantine.ts";
import { realFileOf, serversIn, versionOf } from "./restore-servers.ts";

/** Returns what was dropped: the chosen items, and other servers of the same entries. */
export function forgetItems(quarantine: Quarantine, chosen: readonly QuarantinedItem[]): QuarantinedItem[] {
  const versions = new Set(chosen.flatMap((each) => (each.kind === "mcp_server" ? [versionOf(each)] : [])));
  const servers = serversIn(quarantine).filter((each) => versions.has(versionOf(each)));
  // The original of the file contains these entries. Others are then restored without it.
  for (const each of servers) quarantine.forgetEditedFile(realFileOf(each));
  const skills = chosen.flatMap((each) => (each.kind === "skill" ? [each] : []));
  for (const { home, moved_to } of skills) {
    const remove = () => moved_to !== null && rmSync(moved_to, { recursive: true, force: true });
    if (existsSync(home)) asOwner(home, remove);
    else remove();
  }
  for (const { id } of [...servers, ...skills]) quarantine.remove(id);
  return [...servers, ...skills];
}
