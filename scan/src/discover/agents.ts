import { basename, dirname, join } from "node:path";
import { redactText } from "#policy/redact";
import type { AgentKind, ReportedAgent } from "#policy/types";
import {
  AI_EXTENSIONS,
  APP_FOLDERS,
  APPS,
  EXTENSION_FOLDERS,
  INSTALL_MARKS,
  PROGRAM_FOLDERS,
  PROGRAMS,
  PROJECT_SUBAGENTS,
  SUBAGENTS,
} from "../tables/agents.ts";
import { isFields } from "./parse-config.ts";
import type { Found, Place } from "./place.ts";

const MAX_MANIFEST = 1024 * 1024;
const MAX_NAME_LENGTH = 128;
const MAX_VERSION_LENGTH = 64;
const PLIST_VERSION = /<key>CFBundleShortVersionString<\/key>\s*<string>([^<]{1,64})<\/string>/;
const EXTENSION = /^([a-z0-9-]+\.[a-z0-9-]+)-(\d[\w.]*)(?:-[\w-]+)?$/i;

export function scanAgents(place: Place, projects: readonly Found[]): ReportedAgent[] {
  const found = [
    ...installMarks(place),
    ...programs(place),
    ...apps(place),
    ...extensions(place),
    ...subagents(place, projects),
  ];
  const byKey = new Map(found.map((agent) => [`${agent.kind} ${agent.path}`, agent]));
  return [...byKey.values()];
}

function agent(
  place: Place,
  client: string,
  kind: AgentKind,
  name: string,
  version: string | null,
  path: string,
): ReportedAgent {
  return {
    client,
    kind,
    name: redactText(name, MAX_NAME_LENGTH),
    version: version === null ? null : redactText(version, MAX_VERSION_LENGTH),
    path: place.display(path),
    running: null,
    username: place.username,
  };
}

function installMarks(place: Place): ReportedAgent[] {
  return INSTALL_MARKS.flatMap(({ client, name, kind, paths }) =>
    place
      .find(paths)
      .filter(({ path, files }) => files.isFolder(path))
      .map(({ path }) => agent(place, client, kind, name, null, path)),
  );
}

function programs(place: Place): ReportedAgent[] {
  return place.find(PROGRAM_FOLDERS).flatMap(({ path: folder, files }) =>
    Object.entries(PROGRAMS).flatMap(([program, client]) => {
      const names = place.platform === "win32" ? [`${program}.cmd`, `${program}.exe`] : [program];
      return names.flatMap((name) => {
        const path = join(folder, name);
        const real = files.resolve(path, false);
        return real === undefined
          ? []
          : [agent(place, client, "cli", program, packageVersion({ path: real, files }), path)];
      });
    }),
  );
}

/** Programs of npm are links into a package. */
function packageVersion({ path, files }: Found): string | null {
  let folder = dirname(path);
  for (let level = 0; level < 3; level++) {
    const version = manifestVersion({ path: join(folder, "package.json"), files });
    if (version !== null) return version;
    folder = dirname(folder);
  }
  return null;
}

function manifestVersion({ path, files }: Found): string | null {
  if (files.resolve(path, false) === undefined) return null;
  try {
    const manifest: unknown = JSON.parse(files.read(path, MAX_MANIFEST)?.bytes.toString("utf8") ?? "null");
    return isFields(manifest) && typeof manifest.version === "string" ? manifest.version : null;
  } catch {
    return null;
  }
}

function apps(place: Place): ReportedAgent[] {
  return place.find(APP_FOLDERS).flatMap((folder) =>
    folder.files.list(folder.path).flatMap(({ name, path }) => {
      const app = Object.keys(APPS).find((each) => isApp(name, each));
      if (app === undefined) return [];
      return [agent(place, APPS[app] as string, "app", app, appVersion({ path, files: folder.files }), path)];
    }),
  );
}

function isApp(file: string, app: string): boolean {
  const bare = file.replace(/\.(?:app|desktop)$/, "").toLowerCase();
  return (
    bare === app.toLowerCase() ||
    bare === app.toLowerCase().replaceAll(" ", "-") ||
    (app === "Visual Studio Code" && (bare === "code" || bare === "microsoft vs code"))
  );
}

function appVersion({ path, files }: Found): string | null {
  const plist = files.read(join(path, "Contents", "Info.plist"), MAX_MANIFEST);
  const version = plist && PLIST_VERSION.exec(plist.bytes.toString("utf8"))?.[1];
  return version ?? manifestVersion({ path: join(path, "resources", "app", "package.json"), files });
}

function extensions(place: Place): ReportedAgent[] {
  return EXTENSION_FOLDERS.flatMap(([client, template]) =>
    place.expand(template).flatMap((folder) =>
      folder.files.list(folder.path).flatMap(({ name, path, isFolder }) => {
        const [, id = "", version = null] = EXTENSION.exec(name) ?? [];
        return isFolder && AI_EXTENSIONS.has(id.toLowerCase())
          ? [agent(place, client, "extension", id, version, path)]
          : [];
      }),
    ),
  );
}

function subagents(place: Place, projects: readonly Found[]): ReportedAgent[] {
  const own = SUBAGENTS.flatMap(([client, template]) => place.expand(template).map(({ path }) => ({ client, path })));
  const ofProjects = projects.flatMap((project) =>
    PROJECT_SUBAGENTS.flatMap(([client, template]) =>
      place.expandIn(project, template).map(({ path }) => ({ client, path })),
    ),
  );
  return [...own, ...ofProjects].map(({ client, path }) =>
    agent(place, client, "subagent", basename(path).replace(/\.[^.]+$/, ""), null, path),
  );
}
