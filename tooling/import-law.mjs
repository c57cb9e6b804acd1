/**
 * The import rules: which room of server/src may import which. Biome enforces the configuration that is generated from
 * this table: import-law.biome.json, which is committed, and which biome.json extends.
 *
 *   node tooling/import-law.mjs           writes import-law.biome.json
 *   node tooling/import-law.mjs --check   fails if the committed file does not match the table
 */
import { readFileSync, writeFileSync } from "node:fs";

const LAW = {
  lib: [],
  egress: ["lib"],
  storage: ["lib"],
  guards: ["policy", "lib"],
  records: ["policy", "storage", "lib"],
  gateway: ["guards", "egress", "lib"],
  connect: ["records", "storage", "egress", "lib"],
  identity: ["records", "storage", "egress", "lib"],
  sync: ["records", "connect", "guards", "gateway/upstream", "storage", "egress", "lib"],
  publish: ["records", "gateway/snapshot", "storage", "lib"],
  jobs: ["records", "policy", "storage", "lib"],
  webhooks: ["records", "storage", "egress", "lib"],
  "log-shipping": ["records", "webhooks", "storage", "egress", "lib"],
  email: ["records", "webhooks", "storage", "egress", "lib"],
  plugins: ["records", "guards", "storage", "lib"],
  discovery: ["records", "policy", "storage", "lib"],
  agents: ["records", "guards", "storage", "egress", "lib"],
  config: ["gateway/tracing", "storage", "egress", "lib"],
  workers: ["lib"],
  cluster: ["config", "records", "gateway", "storage", "lib"],
  telemetry: ["config", "publish", "jobs", "webhooks", "log-shipping", "email", "gateway", "egress", "lib"],
  "local-servers": ["config", "records", "gateway/upstream", "storage", "lib"],
  api: [
    ...["records", "connect", "identity", "sync", "guards", "policy", "plugins", "discovery", "agents", "webhooks"],
    ...["log-shipping", "email", "gateway/snapshot", "storage", "egress", "lib"],
  ],
};
/** Folders that the tags of the API share; each may also import the previous ones. */
const API_SHARED = ["api/kit", "api/pages", "api/presenters"];
/** `policy/` is next to `server/`, and rooms import it like one of them. */
const ROOMS = [...Object.keys(LAW), "policy", "compose", "commands"];
const AROUND = ["server", "web", "cli", "scan", "acceptance", "bench", "conformance", "tooling", "examples"];

const outOfTheRoom = {
  group: [`**/../{${ROOMS}}/**`, "**/../main.ts", `**/../{src,test,${AROUND}}/**`],
  message: "Rooms import each other as #room/..., relatively only inside a room.",
};
const sqlite = { group: ["node:sqlite"], message: "node:sqlite is imported only by storage/sqlite-worker.ts." };
const processes = {
  group: ["node:child_process", "node:cluster"],
  message:
    "server/src starts processes only in gateway/upstream/transport/local-process.ts, workers/processes.ts and lib/thread-priority.ts.",
};
const outbound = {
  group: ["node:http", "node:https", "node:http2", "undici"],
  importNamePattern: "(request|get|connect|fetch|stream|pipeline|upgrade|EventSource|WebSocket)",
  message: "egress is the one outbound HTTP client.",
};
/** SUP-6. `Socket` is also a type, so check-source.mjs finds its constructor. */
const sockets = {
  group: ["node:net", "node:tls", "node:dgram", "node:dns", "node:dns/promises"],
  importNamePattern: "(connect|createConnection|createSocket|lookup|resolve.*|Resolver|default|\\*)",
  message: "egress opens every outbound connection.",
};
const code = {
  group: ["node:vm", "node:inspector", "node:inspector/promises", "node:repl", "node:wasi"],
  message: "server/src executes no code that arrives as text.",
};
const files = { group: ["node:fs", "node:fs/promises"], message: "policy reads no files." };
const scanProcesses = {
  group: ["node:child_process"],
  message: "scan starts fixed system commands only, in scan/src/system-commands.ts.",
};
const everywhere = [outOfTheRoom, sqlite, processes, outbound, sockets, code];

const roomOverrides = Object.entries(LAW).map(([room, allowed]) =>
  override([`server/src/${room}/**`], [only([room, ...allowed], sentence(room, allowed)), ...everywhere]),
);

const nounByFrontDoor = "records/<x> imports records/<y> only as #records/<y>.";
const noOtherTag = `${sentence("api/<x>", [...API_SHARED, ...LAW.api]).slice(0, -1)}; never another api/<y>.`;
const tagAllows = only([...API_SHARED, ...LAW.api], noOtherTag);
const recordsAllow = only(["records", ...LAW.records], sentence("records", LAW.records));

// Biome uses only the last override that matches a file, so each override has all its patterns,
// and the narrower ones come later.
const overrides = [
  override(
    ["server/src/*.ts", "server/src/{compose,commands}/**"],
    [only(ROOMS, "server/src does not import the test harness."), ...everywhere],
  ),
  ...roomOverrides,
  override(
    ["server/src/egress/**"],
    [only(["egress", ...LAW.egress], sentence("egress", LAW.egress)), outOfTheRoom, sqlite, processes, code],
  ),
  override(
    ["server/src/gateway/upstream/transport/local-process.ts"],
    [
      only(["gateway", ...LAW.gateway], sentence("gateway", LAW.gateway)),
      outOfTheRoom,
      sqlite,
      outbound,
      sockets,
      code,
    ],
  ),
  override(
    ["server/src/workers/processes.ts"],
    [
      only(["workers", ...LAW.workers], sentence("workers", LAW.workers)),
      outOfTheRoom,
      sqlite,
      outbound,
      sockets,
      code,
    ],
  ),
  override(
    ["server/src/lib/thread-priority.ts"],
    [only(["lib"], sentence("lib", LAW.lib)), outOfTheRoom, sqlite, outbound, sockets, code],
  ),
  override(
    ["server/src/storage/sqlite-worker.ts"],
    [
      only(["storage", ...LAW.storage], sentence("storage", LAW.storage)),
      outOfTheRoom,
      processes,
      outbound,
      sockets,
      code,
    ],
  ),
  override(
    ["server/src/records/*/*.ts"],
    [recordsAllow, { group: ["../*/**"], message: nounByFrontDoor }, ...everywhere],
  ),
  override(
    ["server/src/records/*/*/**"],
    [recordsAllow, { group: ["../../*/**"], message: nounByFrontDoor }, ...everywhere],
  ),
  override(
    ["server/src/api/*/*.ts"],
    [tagAllows, { group: ["../*/**", "../*.ts"], message: noOtherTag }, ...everywhere],
  ),
  override(
    ["server/src/api/*/*/**"],
    [tagAllows, { group: ["../../*/**", "../../*.ts"], message: noOtherTag }, ...everywhere],
  ),
  ...API_SHARED.map((room, index) => {
    const allowed = [...API_SHARED.slice(0, index), ...LAW.api];
    return override([`server/src/${room}/**`], [only([room, ...allowed], sentence(room, allowed)), ...everywhere]);
  }),
  override(["server/src/**/*.test.ts", "server/src/**/*.long.ts", "server/test/**"], [outOfTheRoom]),
  override(
    ["web/**", "cli/**", "acceptance/**"],
    [
      {
        group: ["#*/**", "!#openapi/**", `**/../{${AROUND}}/**`],
        message: "web, cli and acceptance know only openapi/.",
      },
    ],
  ),
  override(
    ["web/src/components/**"],
    [
      {
        group: ["#*/**", "!#openapi/json", `**/../{${AROUND}}/**`, "**/../{api,pages,shell}/**"],
        message: "web/src/components fetch nothing and know no page.",
      },
    ],
  ),
  override(
    ["cli/**/*.test.ts", "cli/test/**", "web/test/**"],
    [
      {
        group: ["#*/**", "!#openapi/**", "!#test/**", `**/../{${AROUND}}/**`],
        message: "Tests of cli and web import only openapi/ and the harness.",
      },
    ],
  ),
  override(
    ["policy/**"],
    [only(["policy"], "policy imports no project code."), besides("policy"), processes, files, outbound, sockets, code],
  ),
  override(["policy/**/*.test.ts"], [only(["policy"], "policy imports no project code."), besides("policy")]),
  override(
    ["scan/**"],
    [only(["policy"], "scan imports only policy."), besides("scan"), scanProcesses, sqlite, sockets, code],
  ),
  override(
    ["scan/src/system-commands.ts", "scan/**/*.test.ts", "scan/test/**"],
    [only(["policy"], "scan imports only policy."), besides("scan"), code],
  ),
  override(["conformance/**"], [only([], "conformance imports no project code."), outOfTheRoom]),
  override(["openapi/*.ts"], [only([], "openapi imports no project code."), outOfTheRoom]),
  override(["openapi/*.test.ts"], [outOfTheRoom]),
];

/** Forbids all rooms except the allowed ones, so that a new room is closed by default. */
function only(rooms, message) {
  return { group: ["#*/**", ...rooms.map((room) => `!#${room}/**`)], message };
}

/** Forbids relative paths to folders next to this one. */
function besides(folder) {
  const others = [...AROUND, "policy", "openapi", "docs"].filter((each) => each !== folder);
  return { group: [`**/../{${others}}/**`], message: `${folder} imports other folders only as #folder/...` };
}

function sentence(room, allowed) {
  if (allowed.length === 0) return `${room} imports no project code.`;
  return `${room} imports ${new Intl.ListFormat("en-GB").format(allowed)}.`;
}

function override(includes, patterns) {
  const noRestrictedImports = { level: "error", options: { patterns } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}

const target = new URL("import-law.biome.json", import.meta.url);
const lines = overrides.map((each) => `    ${JSON.stringify(each)}`);
const text = `{\n  "root": false,\n  "overrides": [\n${lines.join(",\n")}\n  ]\n}\n`;
if (!process.argv.includes("--check")) {
  writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
  console.error("import-law.biome.json is out of date. Run: node tooling/import-law.mjs");
  process.exit(1);
}
