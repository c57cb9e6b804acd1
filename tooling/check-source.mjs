/**
 * Source rules that Biome cannot check: the length of files, forbidden words, meaningless file names, and references to
 * decisions and requirements that do not exist. Prints each violation as path:line, and fails if there is one.
 * fails when there is one.
 *
 *   node tooling/check-source.mjs [root]
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

const FOLDERS = [
  "acceptance",
  "bench",
  "bin",
  "cli",
  "conformance",
  "examples",
  "openapi",
  "policy",
  "scan",
  "server",
  "tooling",
  "web",
];
const SOURCE = /\.(ts|tsx|mts|js|mjs)$/;
const TEST = /\.(test|long)\.tsx?$/;
const GENERATED = new Set(["node_modules", "dist", "openapi/types.ts", "openapi/constants.ts"]);

const EMPTY_NAMES = /^(utils?|helpers?|common|misc|.*-(utils?|helpers?|manager|impl))\./;

/** `because` is the error message. `only` limits a rule to matching paths. */
const FORBIDDEN = [
  { text: /\b(mock\.module|vi\.mock|jest\.mock)\b/, because: "no module mocks: tests use real components" },
  { text: /\b\w+\.(skip|only|todo)\(/, only: TEST, because: "no skip, only, todo: run a test or delete it" },
  { text: /\b(skip|only|todo): true\b/, only: TEST, because: "no skip, only, todo: run a test or delete it" },
  { text: /\bMath\.random\(/, only: TEST, because: "random tests use the seed of the run (OPS-13)" },
  {
    text: /\bdescribe\(.*,\s*async\b/,
    only: TEST,
    because: "describe cannot wait: prepare in before (decision 0200)",
  },
  { text: /\b(TODO|FIXME|XXX|HACK)\b/, because: "finish it, or open an issue" },
  { text: /@ts-(ignore|nocheck)/, because: "use @ts-expect-error with a reason" },
  { text: /@ts-expect-error\s*$/, because: "@ts-expect-error needs its reason on the same line" },
  // Biome reads import and export statements and import() calls, but neither of these two spellings.
  {
    text: /typeof import\("[#.]|\bimport\("[#.][^"]*"\)\s*\.(?!then\b)/,
    because: "use an import statement for types; the import rules check only those",
  },
  // SUP-6. Biome finds only the direct call of eval.
  {
    text: /\beval\(|\bFunction\(|\bimport\("data:|\bsetTimeout\(["'`]/,
    only: /^(?:server|cli)\/src\//,
    because: "no code is executed that arrives as text",
  },
  {
    text: /\bnew (?:\w+\.)?(?:TLS)?Socket\(/,
    only: /^server\/src\/(?!egress\/|storage\/postgres-dialect\.ts|.*\.(?:test|long)\.ts)/,
    because: "egress opens every outbound connection; Postgres has a socket of its driver",
  },
  {
    text: /\benv\b[^=]*\}\s*=\s*process\b/,
    only: /^server\/src\/(?!config\/config\.ts)/,
    because: "only config/config.ts reads the environment",
  },
];

/** Folder pairs in which `from` may import only types of `to`. Biome's import rules do not distinguish types and values. */
const TYPES_ONLY = [{ from: "server/src/gateway/upstream/", to: "server/src/gateway/sessions/" }];
/** Import and re-export statements: the bindings, if there are any, and the specifier. */
const IMPORT = /^(?:import|export)\s+(?:([^"';]*?)\s*from\s+)?"([^"]+)"/gm;

/** This list, and its test. */
const SPELLS_THEM = new Set(["tooling/check-source.mjs", "tooling/import-law.test.ts"]);

/** References such as GW-9, D28, and decision 0015. */
const CITATION = /\b(?:(?:API|AUTH|AZ|GW|OA|OPS|SEC|SUP|WEB)-\d+|D\d{1,2}(?=[\s,;:.)\]])|decision \d{4})\b/g;

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
  if (EMPTY_NAMES.test(basename(path))) found.push(`${path}: choose a name that describes the content`);
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

/** Valid references: the rows of 0001 and 0002 by their first cell, and each decision by its number, which must be unique. */
function readDecisions(folder) {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const known = new Set(names.map((name) => `decision ${name.slice(0, 4)}`));
  for (const name of names.filter((each) => /^000[12]-/.test(each))) {
    for (const [, id] of readFileSync(join(folder, name), "utf8").matchAll(/^\| (\S+) \|/gm)) known.add(id);
  }
  const twice = names.filter((name, i) => i > 0 && names[i - 1].slice(0, 4) === name.slice(0, 4));
  return { known, taken: twice.map((name) => `docs/decisions/${name}: its number is taken`) };
}

/** Counts lines that are neither blank nor comments. */
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
