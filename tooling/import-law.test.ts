/** SUP-6: `CODE_AND_SOCKETS` and the source rules. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { CODE_AND_SOCKETS, MAY_IMPORT, POLICY_AND_SCAN, TARGETS } from "./import-law-expected.ts";

const IMPORTS = "lint/style/noRestrictedImports";
const ROOM_ONLY = "relatively only inside a room";
const NO_OTHER_TAG = "never another api/<y>";
const OUTBOUND = "egress is the one outbound HTTP client";
const CONTRACT_ONLY = "know only openapi/";
const sixtyOneLines = `export function long(): number {\n  let n = 0;\n${"  n += 1;\n".repeat(61)}  return n;\n}\n`;
const branches = `export function tangled(n: number): number {
  for (let i = 0; i < n; i += 1) {
    if (i > 1) {
      if (i > 2) {
        if (i > 3) {
          if (i > 4) {
            if (i > 5) return i;
          }
        }
      }
    }
  }
  return n;
}
`;

/** Path, source, the rule that must report it, and a part of the message. */
const VIOLATIONS: (readonly [path: string, source: string, rule: string, expected: string])[] = [
  ...CODE_AND_SOCKETS,
  ...POLICY_AND_SCAN,
  [
    "server/src/gateway/typed.ts",
    'export type { D } from "#storage/database";',
    IMPORTS,
    "gateway imports guards, egress",
  ],
  [
    "server/src/gateway/lazy.ts",
    'export const d = () => import("#storage/database");',
    IMPORTS,
    "gateway imports guards",
  ],
  ["server/src/gateway/again.ts", 'export { d } from "#records/groups";', IMPORTS, "gateway imports guards, egress"],
  ["server/src/lib/unknown.ts", 'import "#newroom/thing";', IMPORTS, "lib imports no project code"],
  ["server/src/lib/back-door.ts", 'import "#storage/database";', IMPORTS, "lib imports no project code"],
  ["server/src/egress/escape.ts", 'import "../lib/clock.ts";', IMPORTS, ROOM_ONLY],
  ["server/src/gateway/lists/escape.ts", 'import "../../storage/database.ts";', IMPORTS, ROOM_ONLY],
  ["server/src/jobs/escape-config.ts", 'import "../config/config.ts";', IMPORTS, ROOM_ONLY],
  ["server/src/jobs/escape-test.ts", 'import "../../test/start-service.ts";', IMPORTS, ROOM_ONLY],
  ["server/src/commands/escape-bench.ts", 'import "../../../bench/run.ts";', IMPORTS, ROOM_ONLY],
  ["server/src/lib/escape.test.ts", 'import "../storage/database.ts";', IMPORTS, ROOM_ONLY],
  ["server/src/compose/app.ts", 'import "#test/start-service";', IMPORTS, "does not import the test harness"],
  ["server/src/records/users/escape.ts", 'import "../groups/store.ts";', IMPORTS, "only as #records/<y>"],
  ["server/src/records/users/part/escape.ts", 'import "../../groups/store.ts";', IMPORTS, "only as #records/<y>"],
  ["server/src/api/users/neighbor.ts", 'import "../groups/list-groups.ts";', IMPORTS, NO_OTHER_TAG],
  ["server/src/api/users/part/neighbor.ts", 'import "../../groups/list-groups.ts";', IMPORTS, NO_OTHER_TAG],
  ["server/src/api/groups/upwards.ts", 'import "../operations.ts";', IMPORTS, NO_OTHER_TAG],
  ["server/src/api/kit/tag.ts", 'import "#api/groups/list-groups";', IMPORTS, "api/kit imports records"],
  ["server/src/records/users/sqlite.ts", 'import "node:sqlite";', IMPORTS, "only by storage/sqlite-worker.ts"],
  ["server/src/storage/sqlite.ts", 'import "node:sqlite";', IMPORTS, "only by storage/sqlite-worker.ts"],
  ["server/src/gateway/upstream/spawn.ts", 'import "node:child_process";', IMPORTS, "starts processes only in"],
  ["server/src/compose/local-process.ts", 'import "node:child_process";', IMPORTS, "starts processes only in"],
  ["server/src/sync/request.ts", 'export { request } from "node:http";', IMPORTS, OUTBOUND],
  ["server/src/connect/undici.ts", 'import { fetch } from "undici";\nawait fetch("");', IMPORTS, OUTBOUND],
  ["acceptance/server.test.ts", 'import "../server/src/lib/clock.ts";', IMPORTS, CONTRACT_ONLY],
  ["acceptance/groups/room.test.ts", 'import "#lib/clock";', IMPORTS, CONTRACT_ONLY],
  ["cli/src/verbs/room.ts", 'import "../../../server/src/lib/clock.ts";', IMPORTS, CONTRACT_ONLY],
  ["cli/src/verbs/harness.ts", 'import "#test/start-service";', IMPORTS, CONTRACT_ONLY],
  ["cli/src/verbs/room.test.ts", 'import "#lib/clock";', IMPORTS, "only openapi/ and the harness"],
  ["web/src/pages/room.ts", 'import "#api/kit/operation";', IMPORTS, CONTRACT_ONLY],
  ["web/src/components/fetching.ts", 'import "#openapi/client";', IMPORTS, "fetch nothing"],
  ["web/src/components/asking.ts", 'import "../api/client.ts";', IMPORTS, "fetch nothing"],
  ["web/src/components/part/paging.ts", 'import "../../pages/groups/routes.ts";', IMPORTS, "fetch nothing"],
  ["web/src/pages/groups/fetch.ts", 'await fetch("");', "lint/style/noRestrictedGlobals", "fetch"],
  ["conformance/room.test.ts", 'import "../server/src/lib/clock.ts";', IMPORTS, ROOM_ONLY],
  ["conformance/kit/client.ts", 'import "#openapi/client";', IMPORTS, "conformance imports no project code"],
  ["openapi/server.ts", 'import "#lib/clock";', IMPORTS, "openapi imports no project code"],
  ["openapi/escape.ts", 'import "../server/src/lib/clock.ts";', IMPORTS, ROOM_ONLY],
  ["server/src/api/users/client.ts", 'import "#openapi/client";', IMPORTS, NO_OTHER_TAG],
  ["server/src/lib/first.ts", 'import "./second.ts";', "lint/suspicious/noImportCycles", "part of a cycle"],
  ["server/src/lib/second.ts", 'import "./first.ts";', "lint/suspicious/noImportCycles", "part of a cycle"],
  ["server/src/sync/fetch.ts", 'await fetch("");', "lint/style/noRestrictedGlobals", "fetch"],
  [
    "server/src/sync/global.ts",
    'await globalThis.fetch("");',
    "lint/nursery/noJsRestrictedProperties",
    "globalThis.fetch",
  ],
  ["server/src/jobs/now.ts", "export const now = Date.now();", "lint/nursery/noJsRestrictedProperties", "Date.now"],
  [
    "server/src/jobs/dice.ts",
    "export const n = Math.random();",
    "lint/nursery/noJsRestrictedProperties",
    "Math.random",
  ],
  ["server/src/main.ts", "export const port = process.env.PORT;", "lint/style/noProcessEnv", "process.env"],
  ["server/src/jobs/print.ts", 'console.log("x");', "lint/suspicious/noConsole", "console"],
  ["server/src/jobs/any.ts", "export const x = (y: any): string => y;", "lint/suspicious/noExplicitAny", "any"],
  ["server/src/jobs/default.ts", "export default 1;", "lint/style/noDefaultExport", "default export"],
  ["server/src/jobs/all.ts", 'export * from "./clean.ts";', "lint/performance/noReExportAll", "export all"],
  ["server/src/jobs/CamelCase.ts", "export const x = 1;", "lint/style/useFilenamingConvention", "kebab-case"],
  [
    "server/src/jobs/floating.ts",
    "async function f(): Promise<void> {}\nf();",
    "lint/nursery/noFloatingPromises",
    "floating",
  ],
  ["server/src/jobs/dev.ts", 'import "fast-check";', "lint/correctness/noUndeclaredDependencies", "fast-check"],
  ["server/src/jobs/long.ts", sixtyOneLines, "lint/complexity/noExcessiveLinesPerFunction", "lines"],
  ["server/src/jobs/tangled.ts", branches, "lint/complexity/noExcessiveCognitiveComplexity", "complexity"],
  [
    "server/src/jobs/mock.test.ts",
    'import { mock } from "node:test";\nmock.module("x");',
    "lint/nursery/noJsRestrictedProperties",
    "mock.module",
  ],
  [
    "server/src/jobs/focus.test.ts",
    'import { it } from "node:test";\nit.only("x", () => {});',
    "lint/suspicious/noFocusedTests",
    "focus",
  ],
  [
    "server/src/jobs/skipped.test.ts",
    'import { it } from "node:test";\nit.skip("x", () => {});',
    "lint/suspicious/noSkippedTests",
    "disable",
  ],
];

const LAWFUL: [path: string, source: string][] = [
  ["server/src/jobs/clean.ts", 'import "#records/groups";\nimport "./runner.ts";\n\nexport const clean = 1;'],
  ["server/src/gateway/lists/clean.ts", 'import "../ports.ts";\nimport "../upstream/call.ts";'],
  ["server/src/api/users/clean.ts", 'import "#api/kit/operation";\nimport "./schema.ts";'],
  ["server/src/api/users/part/clean.ts", 'import "#api/presenters/logo-url";\nimport "../other-part/clean.ts";'],
  ["server/src/api/operations.ts", 'import "./groups/list-groups.ts";\nimport "./users/clean.ts";'],
  ["server/src/records/users/clean.ts", 'import "#records/groups";\nimport "./store.ts";'],
  ["server/src/storage/sqlite-worker.ts", 'import "node:sqlite";'],
  ["server/src/egress/clean.ts", 'import { fetch } from "undici";\n\nexport const get = fetch;'],
  ["server/src/gateway/listen.ts", 'import { createServer } from "node:http";\n\nexport const listen = createServer;'],
  ["server/src/config/config.ts", "export const port = process.env.PORT;"],
  ["server/src/lib/clock.ts", "export const now = (): number => Date.now();"],
  ["server/src/lib/clean.test.ts", 'import "#storage/database";\nimport "#test/start-service";\nimport "fast-check";'],
  ["server/src/lib/long.test.ts", sixtyOneLines],
  ["server/test/start-service.ts", 'import "#config/config";\n\nexport const port = process.env.PORT;'],
  ["acceptance/clean.test.ts", 'import "../openapi/types.ts";\n\nexport const url = process.env.URL;'],
  ["conformance/clean.test.ts", 'import "./kit/suite.ts";\n\nexport const path = process.env.PATH;'],
  ["cli/src/verbs/clean.ts", 'import "#openapi/client";'],
  ["cli/src/verbs/clean.test.ts", 'import "#test/start-service";\nimport "../../test/run.ts";'],
  ["cli/src/settings.ts", "export const url = process.env.GATEHOUSE_URL;"],
  ["web/src/pages/groups/clean.ts", 'import "#openapi/client";\nimport "../../components/long.tsx";'],
  ["web/src/components/long.tsx", sixtyOneLines],
  ["web/src/components/exact.ts", 'import "#openapi/json";'],
  ["openapi/client.ts", 'import "./types.ts";'],
  ["openapi/client.test.ts", 'import "#test/api";\nimport "./client.ts";'],
  ["bench/clean.ts", 'import "#gateway/snapshot/shape";\n\nconsole.log(await fetch("").then(String));'],
  ["tooling/clean.ts", "console.log(process.env.PATH);"],
];

/** Violations of the source rules: path, source, a part of the message. */
const SOURCE_VIOLATIONS: [path: string, source: string, expected: string][] = [
  ["server/src/jobs/too-long.ts", "export const x = [\n".concat("  1,\n".repeat(300), "];"), "302 lines of code"],
  ["server/src/jobs/string-utils.ts", "export const x = 1;", "describes the content"],
  ["server/src/jobs/inner-mock.test.ts", 'export const f = (t: T) => t.mock.module("x");', "no module mocks"],
  ["server/src/jobs/waits.test.ts", 'describe("x", async () => {});', "describe cannot wait"],
  ["server/src/jobs/inner-skip.test.ts", "export const f = (t: T) => t.skip();", "no skip, only, todo"],
  ["server/src/jobs/later.ts", "// TODO: all of it\nexport const x = 1;", "finish it"],
  ["server/src/jobs/ignored.ts", "// @ts-ignore\nexport const x = 1;", "@ts-expect-error"],
  [
    "server/src/lib/inline-type.ts",
    'export type T = import("#storage/database").T;',
    "use an import statement for types",
  ],
  [
    "server/src/lib/inline-module.ts",
    'export type M = typeof import("#storage/database");',
    "use an import statement for types",
  ],
  ["server/src/jobs/compiled.ts", 'export const f = new Function("return 1");', "no code is executed"],
  ["cli/src/verbs/compiled.ts", 'export const f = Function("return 1");', "no code is executed"],
  ["server/src/jobs/data-url.ts", 'export const load = () => import("data:text/javascript,1");', "no code is executed"],
  [
    "server/src/sync/socket.ts",
    'import { Socket } from "node:net";\nexport const s = new Socket();',
    "egress opens every outbound connection",
  ],
  ["server/src/jobs/environment.ts", "export const { env } = process;", "only config/config.ts"],
  [
    "server/src/gateway/upstream/calls/value.ts",
    'import { type T, f } from "../../sessions/sessions.ts";\nexport const g: T = f;',
    "imports only types from server/src/gateway/sessions/",
  ],
  [
    "server/src/gateway/upstream/value.ts",
    'export {\n  f,\n} from "#gateway/sessions/sessions";',
    "imports only types from server/src/gateway/sessions/",
  ],
  [
    "server/src/jobs/unknown-reference.ts",
    "/** GW-9, GW-999. */\nexport const x = 1;",
    "GW-999 is not in docs/decisions",
  ],
  ["docs/decisions/0004-b.md", "", "its number is taken"],
];
const HOUSE_LAWFUL: [path: string, source: string][] = [
  ["server/src/jobs/commented.ts", `${"// why\n".repeat(200)}/*\n${"why\n".repeat(200)}*/\nexport const x = 1;`],
  ["server/src/jobs/loading.ts", 'export const load = () => import("./clean.ts").then(({ clean }) => clean);'],
  ["server/src/jobs/loaded.ts", 'export const load = async () => (await import("./clean.ts")).clean;'],
  ["server/src/jobs/cited.ts", "/** GW-9, D28; see decision 0004. */\nexport const x = 1;"],
  [
    "server/src/gateway/upstream/calls/type.ts",
    'import type { T } from "../../sessions/sessions.ts";\nexport type U = T;',
  ],
  ["server/src/gateway/upstream/calls/own.ts", 'import { f } from "../sessions/pool.ts";\nexport const g = f;'],
  ["server/src/gateway/sessions/value.ts", 'import { f } from "../upstream/failure.ts";\nexport const g = f;'],
  ["docs/decisions/0001-a.md", "| D28 | what | yes |"],
  ["docs/decisions/0002-a.md", "| GW-9 | a promise |"],
  ["docs/decisions/0004-a.md", ""],
];

type Diagnostic = { category: string; message: string; location: { path: string } };

const root = fileURLToPath(new URL("..", import.meta.url));
const tree = mkdtempSync(join(tmpdir(), "import-law-"));
const matrix = Object.entries(MAY_IMPORT).flatMap(([room, allowed]) =>
  Object.entries(TARGETS).map(([target, specifier]) => ({
    room,
    target,
    path: `server/src/${room}${room === "records" ? "/users" : ""}/imports-${target.replace("/", "-")}.ts`,
    source: `import "${specifier}";`,
    // A room may import itself by its full name.
    isAllowed: allowed.split(" ").includes(target) || target === room || target.split("/")[0] === room,
  })),
);
let diagnostics: Diagnostic[] = [];
let sourceViolations = "";

before(async () => {
  for (const file of ["biome.json", "package.json", "tooling/import-law.biome.json"]) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    copyFileSync(join(root, file), join(tree, file));
  }
  for (const { path, source } of matrix) plant(path, source);
  for (const [path, source] of [...VIOLATIONS, ...LAWFUL, ...SOURCE_VIOLATIONS, ...HOUSE_LAWFUL]) plant(path, source);
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const report = await run([biome, "lint", "--reporter=json", "--max-diagnostics=none"]);
  diagnostics = (JSON.parse(report.stdout) as { diagnostics: Diagnostic[] }).diagnostics;
  sourceViolations = (await run([join(root, "tooling/check-source.mjs")])).stderr;
});

after(() => rmSync(tree, { recursive: true }));

describe("the import rules", () => {
  for (const room of Object.keys(MAY_IMPORT)) {
    it(`${room} imports only what the table allows`, () => {
      const cells = matrix.filter((cell) => cell.room === room);
      const refused = cells.filter((cell) => reported(cell.path).some(({ category }) => category === IMPORTS));
      const expected = cells.filter((cell) => !cell.isAllowed);
      assert.deepEqual(
        refused.map(({ target }) => target),
        expected.map(({ target }) => target),
      );
    });
  }
});

describe("lint reports each violation", () => {
  for (const [path, , rule, expected] of VIOLATIONS) {
    it(`${path}: ${rule.split("/").at(-1)}`, () => {
      const found = reported(path);
      assert.ok(
        found.some(({ category, message }) => category === rule && message.includes(expected)),
        JSON.stringify(found),
      );
    });
  }

  it("and nothing in valid files", () => {
    for (const [path] of LAWFUL) assert.deepEqual(reported(path), [], path);
  });
});

describe("the source rules report each violation", () => {
  for (const [path, , expected] of SOURCE_VIOLATIONS) {
    it(`${path}: ${expected}`, () => {
      assert.ok(
        sourceViolations.split("\n").some((line) => line.startsWith(`${path}:`) && line.includes(expected)),
        sourceViolations,
      );
    });
  }

  it("and nothing in valid files", () => {
    for (const [path] of [...LAWFUL, ...HOUSE_LAWFUL]) assert.ok(!sourceViolations.includes(`${path}:`), path);
  });
});

function plant(path: string, source: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), `${source}\n`);
}

function reported(path: string): Diagnostic[] {
  return diagnostics.filter(({ location }) => location.path === path);
}

/** Both tools exit with 1 here, because there are violations. */
function run(args: string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 64 * 1024 * 1024 }, (_failure, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}
