/** The import rules as the test expects them. Everything that a line does not list is forbidden. */
export const MAY_IMPORT: Record<string, string> = {
  lib: "",
  egress: "lib",
  storage: "lib",
  guards: "policy lib",
  records: "policy storage lib",
  gateway: "guards egress lib",
  connect: "records storage egress lib",
  identity: "records storage egress lib",
  sync: "records connect guards gateway/upstream storage egress lib",
  publish: "records gateway/snapshot storage lib",
  jobs: "records policy storage lib",
  plugins: "records guards storage lib",
  agents: "records guards storage egress lib",
  config: "storage egress lib",
  workers: "lib",
  cluster: "config records gateway gateway/upstream gateway/snapshot storage lib",
  telemetry: "config publish jobs gateway gateway/upstream gateway/snapshot egress lib",
  "local-servers": "config records gateway/upstream storage lib",
  "api/kit": "records connect identity sync guards policy plugins agents gateway/snapshot storage egress lib",
  "api/pages": "api/kit records connect identity sync guards policy plugins agents gateway/snapshot storage egress lib",
  "api/users":
    "api/kit api/pages api/presenters records connect identity sync guards policy plugins agents gateway/snapshot storage egress lib",
  commands:
    "lib egress storage guards policy plugins agents records gateway gateway/upstream gateway/snapshot connect identity sync publish jobs api api/kit api/pages api/presenters api/groups config workers cluster telemetry local-servers compose",
};
/** One module of each room, and of each part of a room that the rules treat separately. */
export const TARGETS: Record<string, string> = {
  lib: "#lib/clock",
  egress: "#egress/egress",
  storage: "#storage/database",
  guards: "#guards/evaluate",
  policy: "#policy/evaluate",
  plugins: "#plugins/release",
  agents: "#agents/run-session",
  records: "#records/groups",
  gateway: "#gateway/handle-mcp",
  "gateway/upstream": "#gateway/upstream/call",
  "gateway/snapshot": "#gateway/snapshot/shape",
  connect: "#connect/refresh",
  identity: "#identity/sign-in",
  sync: "#sync/read-tools",
  publish: "#publish/publish",
  jobs: "#jobs/runner",
  api: "#api/operations",
  "api/kit": "#api/kit/operation",
  "api/pages": "#api/pages/html",
  "api/presenters": "#api/presenters/logo-url",
  "api/groups": "#api/groups/list-groups",
  commands: "#commands/serve",
  config: "#config/config",
  workers: "#workers/supervisor",
  cluster: "#cluster/replicas",
  telemetry: "#telemetry/metrics",
  "local-servers": "#local-servers/register-local-servers",
  compose: "#compose/app",
  openapi: "#openapi/client",
  test: "#test/start-service",
};

const IMPORTS = "lint/style/noRestrictedImports";
const SOCKETS = "egress opens every outbound connection";
const CODE = "executes no code that arrives as text";

/** Path, source, the rule that must report it, and a part of the message. */
export const POLICY_AND_SCAN: (readonly [path: string, source: string, rule: string, expected: string])[] = [
  ["policy/room.ts", 'import "#lib/clock";', IMPORTS, "policy imports no project code"],
  ["policy/escape.ts", 'import "../server/src/lib/clock.ts";', IMPORTS, "policy imports other folders only as"],
  ["policy/read.ts", 'import "node:fs";', IMPORTS, "policy reads no files"],
  ["policy/spawn.ts", 'import "node:child_process";', IMPORTS, "starts processes only in"],
  ["scan/src/room.ts", 'import "#lib/clock";', IMPORTS, "scan imports only policy"],
  ["scan/src/escape.ts", 'import "../../policy/urls.ts";', IMPORTS, "scan imports other folders only as"],
  ["scan/src/spawn.ts", 'import "node:child_process";', IMPORTS, "only, in scan/src/system-commands.ts"],
  ["scan/test/harness.ts", 'import "#test/start-service";', IMPORTS, "scan imports only policy"],
];

/** SUP-6: path, source, the rule that must report it, and a part of the message. */
export const CODE_AND_SOCKETS: (readonly [path: string, source: string, rule: string, expected: string])[] = [
  ["server/src/sync/raw.ts", 'import { connect } from "node:net";\nconnect(1);', IMPORTS, SOCKETS],
  ["server/src/gateway/upstream/tls.ts", 'export { connect } from "node:tls";', IMPORTS, SOCKETS],
  ["server/src/api/users/all-of-it.ts", 'import net from "node:net";\nnet.connect(1);', IMPORTS, SOCKETS],
  ["server/src/api/users/star.ts", 'import * as net from "node:net";\nnet.connect(1);', IMPORTS, SOCKETS],
  ["server/src/jobs/udp.ts", 'import { createSocket } from "node:dgram";\ncreateSocket("udp4");', IMPORTS, SOCKETS],
  ["server/src/connect/dns.ts", 'import { lookup } from "node:dns/promises";\nlookup("x");', IMPORTS, SOCKETS],
  ["server/src/jobs/vm.ts", 'import { runInThisContext } from "node:vm";\nrunInThisContext("1");', IMPORTS, CODE],
  ["server/src/egress/vm.ts", 'export const vm = () => import("node:vm");', IMPORTS, CODE],
  ["server/src/jobs/eval.ts", 'export const n = eval("1");', "lint/security/noGlobalEval", "eval"],
];
