/**
 * House rules that no linter knows: the ceiling on a file's length, words that must not stand in source, file names that
 * say nothing, decisions and requirements that are cited but written down nowhere. Prints each breach as path:line and
 * fails when there is one.
 *
 *   node tooling/check-source.mjs [root]
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

const FOLDERS = ["acceptance", "bench", "bin", "cli", "conformance", "examples", "openapi", "server", "tooling", "web"];
const SOURCE = /\.(ts|tsx|mts|js|mjs)$/;
const TEST = /\.(test|long)\.tsx?$/;
const GENERATED = new Set(["node_modules", "dist", "openapi/types.ts", "openapi/constants.ts"]);

const EMPTY_NAMES = /^(utils?|helpers?|common|misc|.*-(utils?|helpers?|manager|impl))\./;

/** Each with the sentence that its author reads. `only` narrows the rule to paths that it matches. */
const FORBIDDEN = [
  { text: /\b(mock\.module|vi\.mock|jest\.mock)\b/, because: "tests use the real thing: no module mocks" },
  { text: /\b\w+\.(skip|only|todo)\(/, only: TEST, because: "a test is run or deleted: no skip, only, todo" },
  { text: /\b(skip|only|todo): true\b/, only: TEST, because: "a test is run or deleted: no skip, only, todo" },
  { text: /\b(TODO|FIXME|XXX|HACK)\b/, because: "finish it, or describe it where open work is kept" },
  { text: /@ts-(ignore|nocheck)/, because: "use @ts-expect-error with the reason behind it" },
  { text: /@ts-expect-error\s*$/, because: "@ts-expect-error needs its reason on the same line" },
  // Biome reads import and export statements and import() calls, but neither of these two spellings.
  {
    text: /typeof import\("[#.]|\bimport\("[#.][^"]*"\)\s*\.(?!then\b)/,
    because: "import types by a statement, as the import law reads only those",
  },
  {
    text: /\benv\b[^=]*\}\s*=\s*process\b/,
    only: /^server\/src\/(?!config\/config\.ts)/,
    because: "config/config.ts alone reads the environment",
  },
];

/** Folder pairs in which `from` may import only types of `to`. The import law cannot tell types and values apart. */
const TYPES_ONLY = [{ from: "server/src/gateway/upstream/", to: "server/src/gateway/sessions/" }];
/** Import and re-export statements: the bindings, if there are any, and the specifier. */
const IMPORT = /^(?:import|export)\s+(?:([^"';]*?)\s*from\s+)?"([^"]+)"/gm;

/** The list itself and the test that plants breaches of it. */
const SPELLS_THEM = new Set(["tooling/check-source.mjs", "tooling/import-law.test.ts"]);

/** GW-9, D28 and decision 0015, wherever source says them. */
const CITATION = /\b(?:(?:API|AUTH|AZ|GW|OA|OPS|SEC|WEB)-\d+|D\d{1,2}(?=[\s,;:.)\]])|decision \d{4})\b/g;

const root = process.argv[2] ?? ".";
const decisions = readDecisions(join(root, "docs/decisions"));
const folders = FOLDERS.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
const breaches = folders.flatMap((folder) => sourceFiles(folder)).flatMap((file) => judge(file));
breaches.push(...decisions.taken);
for (const breach of breaches) console.error(breach);
process.exitCode = breaches.length === 0 ? 0 : 1;

function sourceFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (GENERATED.has(entry.name) || GENERATED.has(relative(root, path))) return [];
    if (entry.isDirectory()) return sourceFiles(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

function judge(file) {
  const path = relative(root, file);
  const lines = readFileSync(file, "utf8").split("\n");
  const found = [];
  if (EMPTY_NAMES.test(basename(path))) found.push(`${path}: the name does not say what is in it`);
  const ceiling = path.endsWith(".tsx") ? 400 : 300;
  const length = codeLines(lines);
  if (length > ceiling) found.push(`${path}: ${length} lines of code, ${ceiling} are the most`);
  if (!TEST.test(path)) found.push(...valueImports(path, lines.join("\n")));
  if (SPELLS_THEM.has(path)) return found;
  lines.forEach((line, index) => {
    for (const [cited] of line.matchAll(CITATION)) {
      if (!decisions.known.has(cited)) found.push(`${path}:${index + 1}: ${cited} is not in docs/decisions`);
    }
  });
  for (const { text, only, because } of FORBIDDEN) {
    if (only && !only.test(path)) continue;
    lines.forEach((line, index) => {
      if (text.test(line)) found.push(`${path}:${index + 1}: ${because}`);
    });
  }
  return found;
}

function valueImports(path, source) {
  const rules = TYPES_ONLY.filter(({ from }) => path.startsWith(from));
  if (rules.length === 0) return [];
  return [...source.matchAll(IMPORT)].flatMap(([, bindings = "", specifier]) => {
    const imported = specifier.startsWith("#") ? `server/src/${specifier.slice(1)}` : join(dirname(path), specifier);
    const rule = rules.find(({ to }) => imported.startsWith(to));
    if (!rule || isTypeOnly(bindings)) return [];
    return [`${path}: imports a value from ${specifier}, but ${rule.from} imports only types from ${rule.to}`];
  });
}

function isTypeOnly(bindings) {
  if (bindings.startsWith("type ")) return true;
  const names = /^\{([^}]*)\}$/.exec(bindings)?.[1].split(",") ?? [""];
  return names.every((name) => name.trim() === "" || name.trim().startsWith("type ")) && names.join("").trim() !== "";
}

/** What can be cited: the rows of 0001 and 0002 by their first cell, and each file by its number, which it has alone. */
function readDecisions(folder) {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const known = new Set(names.map((name) => `decision ${name.slice(0, 4)}`));
  for (const name of names.filter((each) => /^000[12]-/.test(each))) {
    for (const [, id] of readFileSync(join(folder, name), "utf8").matchAll(/^\| (\S+) \|/gm)) known.add(id);
  }
  const twice = names.filter((name, i) => i > 0 && names[i - 1].slice(0, 4) === name.slice(0, 4));
  return { known, taken: twice.map((name) => `docs/decisions/${name}: its number is taken`) };
}

/** Lines that are neither blank nor only comment. */
function codeLines(lines) {
  let inComment = false;
  let count = 0;
  for (const line of lines) {
    const text = line.trim();
    if (inComment) {
      inComment = !text.includes("*/");
      continue;
    }
    if (text === "" || text.startsWith("//")) continue;
    if (text.startsWith("/*")) {
      inComment = !text.includes("*/");
      continue;
    }
    count += 1;
  }
  return count;
}
