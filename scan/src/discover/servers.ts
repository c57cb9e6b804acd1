import { createHash } from "node:crypto";
import { normalizeServer } from "#policy/normalize-server";
import type { ReportedServer, ServerScope } from "#policy/types";
import { CONFIGS, type ConfigEntry, type ConfigFormat, PROJECT_CONFIGS } from "../tables/mcp-configs.ts";
import { MAX_FILE_BYTES } from "./home-files.ts";
import { MAX_TEXT_BYTES, parseConfig } from "./parse-config.ts";
import type { Found, Place } from "./place.ts";
import { describeServer, findServers } from "./read-servers.ts";

/** Where an item is on this device, for enforcement. Never part of a report. */
export interface ServerOrigin {
  readonly path: string;
  readonly format: ConfigFormat;
  readonly pointer: readonly (string | number)[];
  /** Of the file when it was scanned. */
  readonly fileHash: string;
  readonly home: string;
}

export interface FoundServer {
  readonly item: ReportedServer;
  readonly origin: ServerOrigin;
}

export function scanServers(place: Place, projects: readonly Found[]): FoundServer[] {
  const parsed = new ParsedFiles(place);
  const own = CONFIGS.flatMap((entry) =>
    place.find(entry.paths).flatMap((found) => readEntry(place, parsed, found, entry, entry.scope, undefined)),
  );
  const ofProjects = projects.flatMap((project) =>
    PROJECT_CONFIGS.flatMap((entry) =>
      entry.files.flatMap((file) =>
        place
          .expandIn(project, file)
          .flatMap((found) => readEntry(place, parsed, found, entry, "project", project.path)),
      ),
    ),
  );
  return [...own, ...ofProjects];
}

type Entry = Pick<ConfigEntry, "client" | "format" | "keys" | "single">;

function readEntry(
  place: Place,
  parsed: ParsedFiles,
  { path, files }: Found,
  { client, format, keys, single }: Entry,
  scope: ServerScope,
  project: string | undefined,
): FoundServer[] {
  const file = parsed.read(
    path,
    format,
    () => files.read(path, format === "json" ? MAX_FILE_BYTES : MAX_TEXT_BYTES)?.bytes,
  );
  if (file === undefined) return [];
  return findServers(file.value, keys, single).map((configured) => ({
    item: normalizeServer(
      {
        ...describeServer(configured),
        client,
        scope,
        configPath: place.display(path),
        project: project ?? configured.wildcard,
        username: place.username,
      },
      [place.home],
    ),
    origin: { path, format, pointer: configured.pointer, fileHash: file.hash, home: place.home },
  }));
}

interface ParsedFile {
  readonly value: unknown;
  readonly hash: string;
}

/** Several entries of the tables can name the same file. */
class ParsedFiles {
  readonly #place: Place;
  readonly #files = new Map<string, ParsedFile | undefined>();

  constructor(place: Place) {
    this.#place = place;
  }

  read(path: string, format: ConfigFormat, readBytes: () => Buffer | undefined): ParsedFile | undefined {
    if (!this.#files.has(path)) this.#files.set(path, this.#parse(path, format, readBytes()));
    return this.#files.get(path);
  }

  #parse(path: string, format: ConfigFormat, bytes: Buffer | undefined): ParsedFile | undefined {
    if (bytes === undefined) return undefined;
    try {
      return { value: parseConfig(bytes.toString("utf8"), format), hash: hashOf(bytes) };
    } catch {
      this.#place.addError(path, "parse_error");
      return undefined;
    }
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
