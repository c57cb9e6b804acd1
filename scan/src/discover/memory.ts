import { textIssues } from "#policy/issues";
import type { MemoryKind, ReportedMemory, ServerScope } from "#policy/types";
import { MEMORY_FILES, PROJECT_MEMORY } from "../tables/memory.ts";
import type { Found, Place } from "./place.ts";
import { hashOf } from "./servers.ts";

const MAX_MEMORY_BYTES = 5 * 1024 * 1024;

export function scanMemory(place: Place, projects: readonly Found[]): ReportedMemory[] {
  const own = MEMORY_FILES.flatMap(({ client, kind, scope, paths }) =>
    place.find(paths).flatMap((found) => readMemory(place, found, client, kind, scope, undefined)),
  );
  const ofProjects = projects.flatMap((project) =>
    PROJECT_MEMORY.flatMap(([client, kind, file]) =>
      place.expandIn(project, file).flatMap((found) => readMemory(place, found, client, kind, "project", project.path)),
    ),
  );
  return [...own, ...ofProjects];
}

function readMemory(
  place: Place,
  { path, files }: Found,
  client: string,
  kind: MemoryKind,
  scope: ServerScope,
  project: string | undefined,
): ReportedMemory[] {
  // Some of these names are folders in other versions of a client.
  if (files.isFolder(path)) return [];
  const file = files.read(path, MAX_MEMORY_BYTES);
  if (file === undefined) return [];
  const text = file.bytes.toString("utf8");
  return [
    {
      client,
      kind,
      path: place.display(path),
      scope,
      size_bytes: file.bytes.length,
      sha256: hashOf(file.bytes),
      modified_at: file.stats.mtime.toISOString(),
      issues: textIssues(text),
      ...(project !== undefined && { project: place.display(project) }),
      username: place.username,
    },
  ];
}
