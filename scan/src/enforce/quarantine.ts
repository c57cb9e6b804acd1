import { createHash } from "node:crypto";
import { fingerprintOf } from "#policy/normalize-server";
import type { ReportedServer, ReportedSkill } from "#policy/types";
import type { StateFolder } from "../state.ts";
import type { ConfigFormat } from "../tables/mcp-configs.ts";
import type { Pointer } from "./remove-json.ts";

const FOLDER = "quarantine";
const FILES = "quarantine-files";
const COUNTS = "counts.json";

interface Quarantined {
  readonly id: string;
  readonly home: string;
  readonly quarantined_at: string;
  /** The policy's reason. */
  readonly reason: string;
}

/** An MCP server that was removed from a configuration file, with everything that is needed to put it back. */
export interface QuarantinedServer extends Quarantined {
  readonly kind: "mcp_server";
  readonly path: string;
  /** The file that the links of `path` named. Records of earlier versions do not have it. */
  readonly real_path?: string;
  readonly format: ConfigFormat;
  readonly pointer: Pointer;
  /** With its secrets. The state folder is readable by its owner only. */
  readonly value: unknown;
  /** The removed lines of TOML, or the removed value of JSON. */
  readonly snippet: string;
  readonly item: ReportedServer;
}

export interface QuarantinedSkill extends Quarantined {
  readonly kind: "skill";
  readonly path: string;
  /** Where the folder is now, or the target of the link that was removed. */
  readonly moved_to: string | null;
  readonly link_target: string | null;
  readonly item: ReportedSkill;
  /** The same folder as further clients found it, through links. */
  readonly shared?: readonly ReportedSkill[];
}

export type QuarantinedItem = QuarantinedServer | QuarantinedSkill;

/**
 * A configuration file before its first entry was removed. Valid while the file is as the agent left it. Written before the
 * file is replaced, so it also describes the file as it was before that (decision 0240).
 */
export interface EditedFile {
  readonly path: string;
  readonly original: string;
  readonly after_hash: string;
  readonly entries: readonly string[];
  readonly before?: { readonly hash: string; readonly entries: readonly string[] };
}

/** Which entries of the original are missing in a file with this hash; undefined if something else changed it. */
export function removedEntries(file: EditedFile | undefined, hash: string): readonly string[] | undefined {
  if (file?.after_hash === hash) return file.entries;
  return file?.before?.hash === hash ? file.before.entries : undefined;
}

export class Quarantine {
  readonly #state: StateFolder;

  constructor(state: StateFolder) {
    this.#state = state;
  }

  list(): QuarantinedItem[] {
    return this.#state.list(FOLDER).flatMap((name) => {
      const item = name.endsWith(".json") ? this.#state.readJson<QuarantinedItem>(`${FOLDER}/${name}`) : undefined;
      return item ? [identified(item)] : [];
    });
  }

  get(id: string): QuarantinedItem | undefined {
    return this.#state.readJson<QuarantinedItem>(`${FOLDER}/${id}.json`);
  }

  add(item: QuarantinedItem): void {
    this.#state.writeJson(`${FOLDER}/${item.id}.json`, item);
  }

  remove(id: string): void {
    this.#state.remove(`${FOLDER}/${id}.json`);
  }

  editedFile(path: string): EditedFile | undefined {
    return this.#state.readJson<EditedFile>(`${FILES}/${keyOf(path)}.json`);
  }

  setEditedFile(file: EditedFile): void {
    this.#state.writeJson(`${FILES}/${keyOf(file.path)}.json`, file);
  }

  forgetEditedFile(path: string): void {
    this.#state.remove(`${FILES}/${keyOf(path)}.json`);
  }

  /** How often an item was quarantined, this time included. */
  count(key: string): number {
    const counts = this.#state.readJson<Record<string, number>>(COUNTS) ?? {};
    const count = (counts[key] ?? 0) + 1;
    this.#state.writeJson(COUNTS, { ...counts, [key]: count });
    return count;
  }
}

/** Everything that the record removed, for the report and the policy. */
export function itemsOf(quarantined: QuarantinedItem): readonly (ReportedServer | ReportedSkill)[] {
  return quarantined.kind === "skill" ? [quarantined.item, ...(quarantined.shared ?? [])] : [quarantined.item];
}

/** The service computes fingerprints again, so one of an earlier version of the agent would name another server. */
function identified(quarantined: QuarantinedItem): QuarantinedItem {
  if (quarantined.kind === "skill") return quarantined;
  const { item } = quarantined;
  return { ...quarantined, item: { ...item, fingerprint: fingerprintOf(item) } };
}

export function keyOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
}
