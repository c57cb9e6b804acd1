import { createHash } from "node:crypto";
import { normalizeServer } from "#policy/normalize-server";
import type { ReportedServer, ServerScope } from "#policy/types";
import { CONFIGS, type ConfigEntry, type ConfigFormat, PROJECT_CONFIGS } from "../tables/mcp-configs.ts";
import { MAX_FILE_BYTES } from "./home-files.ts";
import { MAX_TEXT_BYTES, parseConfig } from "./parse-config.ts";
import type { Found, Place } from "./place.ts";
import { describeServer, findServers } from "./read-servers.ts";

const MAX_SERVERS = 1000;
const RETRY_AFTER_MS = 100;
/** Many broken files must not delay a scan for long. */
const MAX_RETRIES = 10;

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

export function scanServers(
  place: Place,
  projects: readonly Found[],
  parsed: ParsedFiles = new ParsedFiles(place),
): FoundServer[] {
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
  found: Found,
  { client, format, keys, single }: Entry,
  scope: ServerScope,
  project: string | undefined,
): FoundServer[] {
  const { path } = found;
  const file = parsed.read(found, format);
  if (file === undefined) return [];
  const described = findServers(file.value, keys, single).flatMap((configured) => {
    const origin = { path, format, pointer: configured.pointer, fileHash: file.hash, home: place.home };
    return describeServer(configured).map((server) => ({ configured, server, origin }));
  });
  if (described.length > MAX_SERVERS) place.addError(path, "too_many_entries");
  return described.slice(0, MAX_SERVERS).map(({ configured, server, origin }) => ({
    item: normalizeServer(
      {
        ...server,
        client,
        scope,
        configPath: place.display(path),
        project: project ?? configured.wildcard,
        username: place.username,
      },
      [place.home],
    ),
    origin,
  }));
}

interface ParsedFile {
  readonly value: unknown;
  readonly hash: string;
}

/** The configuration files of one home. Each is read once, so that projects and servers come from the same content. */
export class ParsedFiles {
  readonly #place: Place;
  readonly #files = new Map<string, ParsedFile | undefined>();
  #retries = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Undefined if the file is missing or cannot be read; the reason is then reported. */
  read(
    found: Found,
    format: ConfigFormat,
    limit = format === "json" ? MAX_FILE_BYTES : MAX_TEXT_BYTES,
  ): ParsedFile | undefined {
    if (!this.#files.has(found.path)) this.#files.set(found.path, this.#parse(found, format, limit));
    return this.#files.get(found.path);
  }

  /** Clients rewrite their files while they run, so a file that is not valid is read again once. */
  #parse({ path, files }: Found, format: ConfigFormat, limit: number): ParsedFile | undefined {
    for (let isRetried = false; ; isRetried = true) {
      const bytes = files.read(path, limit)?.bytes;
      if (bytes === undefined) return undefined;
      try {
        return { value: parseConfig(bytes.toString("utf8"), format), hash: hashOf(bytes) };
      } catch {
        if (!isRetried && this.#retries < MAX_RETRIES) {
          this.#retries += 1;
          waitFor(RETRY_AFTER_MS);
          continue;
        }
        this.#place.addError(path, "parse_error");
        return undefined;
      }
    }
  }
}

/** A scan is synchronous, because it runs with the rights of the owner of the home. */
function waitFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
