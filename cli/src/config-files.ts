import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Document, parseDocument, stringify } from "yaml";
import { badUsage } from "./failure.ts";
import { saveFiles } from "./save-files.ts";

export type Config = Record<string, object[]>;

export interface ConfigFiles {
  readonly config: Config;
  /** From an error of the API about an entry, such as `config.groups.3: …`, to its file; undefined for other errors. */
  explain(message: string): string | undefined;
}

const REFERENCE = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** One file per kind. Existing files with other content are replaced only with `force`, because comments would be lost. */
export async function writeConfigFiles(folder: string, config: Config, force: boolean): Promise<string[]> {
  await createFolder(folder);
  const changed: [path: string, text: string][] = [];
  for (const [kind, objects] of Object.entries(config)) {
    const path = join(folder, `${kind}.yaml`);
    const text = stringify({ [kind]: objects }, { lineWidth: 0, aliasDuplicateObjects: false });
    const existing = await readFile(path, "utf8").catch(() => undefined);
    if (existing === text) continue;
    if (existing !== undefined && !force) throw badUsage(`${path} already exists. Pass --force to replace it.`);
    changed.push([path, text]);
  }
  await saveFiles(changed);
  return changed.map(([path]) => path);
}

/**
 * Creates a folder and its parents. Node's `recursive` never returns where a folder cannot be created although its parent
 * exists, such as below /proc.
 */
async function createFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await createFolder(parent);
  await mkdir(folder).catch(async (error) => {
    // Another process can create it in the meantime.
    if (!(await isFolder(folder))) throw error;
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** All YAML files of a folder. A kind can be in several files. References are replaced by variables of this machine. */
export async function readConfigFiles(
  folder: string,
  variable: (name: string) => string | undefined,
): Promise<ConfigFiles> {
  const names = await readdir(folder).catch(() => {
    throw badUsage(`Cannot read the folder ${folder}`);
  });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).sort();
  if (files.length === 0) throw badUsage(`${folder} contains no YAML files`);
  // Maps, because a kind in a file can have any name, such as `constructor`.
  const config = new Map<string, object[]>();
  const places = new Map<string, string[]>();
  const missing = new Set<string>();
  for (const name of files) {
    const path = join(folder, name);
    const text = await readFile(path, "utf8").catch(() => {
      throw badUsage(`Cannot read ${path}`);
    });
    const content = resolveReferences(parseFile(path, text), variable, missing);
    for (const [kind, objects] of Object.entries(content)) {
      if (!Array.isArray(objects)) throw badUsage(`${path}: ${kind} must be a list`);
      config.set(kind, [...(config.get(kind) ?? []), ...objects]);
      const entries = objects.map((_, index) => `${path}: ${kind}, entry ${index + 1}`);
      places.set(kind, [...(places.get(kind) ?? []), ...entries]);
    }
  }
  if (missing.size > 0) throw badUsage(`Set the environment variables of the secrets: ${[...missing].join(", ")}`);
  return { config: Object.fromEntries(config), explain: (message) => explainError(message, places) };
}

function explainError(message: string, places: ReadonlyMap<string, readonly string[]>): string | undefined {
  const [, kind = "", index = "", reason] = /^config\.([\w-]+)\.(\d+): (.*)$/s.exec(message) ?? [];
  const place = places.get(kind)?.[Number(index)];
  if (place !== undefined) return `${place}: ${reason}`;
  const [, section = "", rest] = /^config: unknown section (\S+?)\. (.*)$/s.exec(message) ?? [];
  const file = places.get(section)?.[0]?.replace(/: [^:]*$/, "");
  return file === undefined ? undefined : `${file}: unknown section ${section}. ${rest}`;
}

function parseFile(path: string, text: string): object {
  const document = parseDocument(text);
  const [error] = document.errors;
  // The lines after the first show the position in the file.
  if (error) throw badUsage(`${path}: ${error.message.split("\n")[0]?.replace(/:$/, "")}`);
  const content = readContent(path, document);
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw badUsage(`${path} must contain kinds with lists of objects`);
  }
  return content;
}

/** JSON, without an alias that is unknown, contains itself, or expands to very much. */
function readContent(path: string, document: Document): unknown {
  try {
    const content: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
    JSON.stringify(content);
    return content;
  } catch (error) {
    if (error instanceof ReferenceError) throw badUsage(`${path}: ${error.message}`);
    if (error instanceof TypeError) throw badUsage(`${path}: an alias is inside of its anchor`);
    throw error;
  }
}

/** Adds the names of variables that are not set to `missing`. */
function resolveReferences(
  value: unknown,
  variable: (name: string) => string | undefined,
  missing: Set<string>,
): Record<string, unknown> {
  const resolve = (part: unknown): unknown => {
    if (typeof part === "string") {
      const name = REFERENCE.exec(part)?.[1];
      if (name === undefined) return part;
      const found = variable(name);
      // GitHub Actions sets a variable to an empty text if its secret does not exist.
      if (!found) missing.add(name);
      return found;
    }
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, resolve(member)]));
  };
  // parseFile returns an object, and an object resolves to an object.
  return resolve(value) as Record<string, unknown>;
}
