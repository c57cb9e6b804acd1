import { isFields } from "./discover/parse-config.ts";
import type { ListedProjects } from "./discover/project-roots.ts";
import type { StateFolder } from "./state.ts";

const FILE = "projects.json";

/** The projects that files of clients listed in the last scan, by home folder. */
export type RememberedProjects = Readonly<Record<string, ListedProjects>>;

export function readProjects(state: StateFolder): RememberedProjects {
  const stored = state.readJson<unknown>(FILE);
  return isFields(stored)
    ? Object.fromEntries(Object.entries(stored).map(([home, lists]) => [home, valid(lists)]))
    : {};
}

/** Homes that this scan did not read are kept. */
export function rememberProjects(state: StateFolder, found: RememberedProjects): void {
  state.writeJson(FILE, { ...readProjects(state), ...found });
}

function valid(lists: unknown): ListedProjects {
  const entries = Object.entries(isFields(lists) ? lists : {});
  return Object.fromEntries(
    entries.map(([path, roots]) => [
      path,
      Array.isArray(roots) ? roots.filter((root) => typeof root === "string") : [],
    ]),
  );
}
