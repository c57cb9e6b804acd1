import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "node:test";
import { parseAllowList } from "#egress/address-rules";
import { BadSetting } from "#lib/bad-setting";
import { type Config, type Environment, isLoopback, keyFileOf, readConfig } from "./config.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-config-"));
after(() => rmSync(directory, { recursive: true }));
const TOKEN = "b1946ac92492d2347c6235b4d2611184";
const secretFile = join(directory, "secret");
writeFileSync(secretFile, `${TOKEN}\n`);
const databaseFile = join(directory, "database");
writeFileSync(databaseFile, "postgres://u:p@db/x\n");

describe("readConfig", () => {
  it("has a default for each setting", () => {
    assert.deepEqual(readConfig({}), {
      host: "127.0.0.1",
      port: 8080,
      metricsPort: undefined,
      metricsHost: "127.0.0.1",
      dataDir: resolve("data"),
      databaseUrl: undefined,
      snapshotMaxAgeMs: 3_600_000,
      baseUrl: "http://127.0.0.1:8080",
      gatewayUrl: "http://127.0.0.1:8080",
      orgName: "Gatehouse",
      orgDomain: "gatehouse.local",
      bootstrapToken: undefined,
      keyFile: undefined,
      previousKeyFile: undefined,
      logFilesDir: undefined,
      role: "all",
      workers: undefined,
      egressAllow: parseAllowList("127.0.0.0/8,::1/128"),
      trustedProxies: [],
      connectionsPerAddress: 2048,
      maxEventLoopDelayMs: 500,
      registryUrl: "https://registry.modelcontextprotocol.io",
      registrySync: "on",
      localServersFile: undefined,
      localEnvironment: {},
      drainMs: 5_000,
      logLevel: "info",
      smtp: undefined,
      defaultProvider: undefined,
      traces: undefined,
    });
  });

  const withDatabase = { DATABASE_URL: "postgresql://u:p@db/x", GATEHOUSE_KEY_FILE: "/key" };
  for (const [environment, read] of [
    [{ HOST: "0.0.0.0" }, { host: "0.0.0.0", baseUrl: "http://localhost:8080", egressAllow: parseAllowList("") }],
    [
      { HOST: "::1", PORT: "9000" },
      { baseUrl: "http://[::1]:9000", egressAllow: parseAllowList("127.0.0.0/8,::1") },
    ],
    [{ BASE_URL: "https://gate.example.com" }, { egressAllow: parseAllowList("") }],
    [{ BASE_URL: "http://localhost:9000" }, { egressAllow: parseAllowList("127.0.0.0/8,::1") }],
    [{ HOST: "gate.internal" }, { baseUrl: "http://gate.internal:8080", egressAllow: parseAllowList("") }],
    [{ PORT: "0" }, { port: 0 }],
    [
      { METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0" },
      { metricsPort: 9464, metricsHost: "0.0.0.0" },
    ],
    [{ PORT: " 65535 " }, { port: 65_535 }],
    [{ PORT: "" }, { port: 8080 }],
    [{ DATA_DIR: "/var/lib/gatehouse" }, { dataDir: "/var/lib/gatehouse" }],
    [withDatabase, { databaseUrl: withDatabase.DATABASE_URL, keyFile: "/key" }],
    [{ DATABASE_URL_FILE: databaseFile, GATEHOUSE_KEY_FILE: "/key" }, { databaseUrl: "postgres://u:p@db/x" }],
    ...["postgres://u@/x?host=/run/postgresql", "postgres:///x?host=/run/postgresql", "postgres://%2Frun%2Fpg/x"].map(
      (text) => [{ DATABASE_URL: text, GATEHOUSE_KEY_FILE: "/key" }, { databaseUrl: text }] as const,
    ),
    [{ BASE_URL: "https://gate.example.com/" }, { baseUrl: "https://gate.example.com" }],
    [{ BASE_URL: "https://gate.example.com" }, { gatewayUrl: "https://gate.example.com" }],
    [{ GATEWAY_URL: "https://mcp.example.com/x//" }, { gatewayUrl: "https://mcp.example.com/x" }],
    [{ ORG_NAME: " Acme Ltd " }, { orgName: "Acme Ltd" }],
    [{ ORG_DOMAIN: "Mail.Example.COM" }, { orgDomain: "mail.example.com" }],
    [{ GATEHOUSE_BOOTSTRAP_TOKEN: TOKEN }, { bootstrapToken: TOKEN }],
    [{ GATEHOUSE_BOOTSTRAP_TOKEN_FILE: secretFile }, { bootstrapToken: TOKEN }],
    [{ GATEHOUSE_PREVIOUS_KEY_FILE: "/old" }, { previousKeyFile: "/old" }],
    [{ LOG_FILES_DIR: "/logs" }, { logFilesDir: "/logs" }],
    [{ GATEHOUSE_ROLE: "gateway" }, { role: "gateway" }],
    [
      { REGISTRY_URL: "https://mcp.example.com/registry/", REGISTRY_SYNC: "off" },
      { registryUrl: "https://mcp.example.com/registry", registrySync: "off" },
    ],
    [{ EGRESS_ALLOW: "10.0.0.0/8,intra.example" }, { egressAllow: parseAllowList("10.0.0.0/8,intra.example") }],
    [{ TRUSTED_PROXIES: "10.0.0.1, 192.168.0.0/16,::1," }, { trustedProxies: ["10.0.0.1", "192.168.0.0/16", "::1"] }],
    [{ CONNECTIONS_PER_ADDRESS: "0" }, { connectionsPerAddress: 0 }],
    [{ MAX_EVENT_LOOP_DELAY_MS: "50" }, { maxEventLoopDelayMs: 50 }],
    [{ MAX_EVENT_LOOP_DELAY_MS: "0" }, { maxEventLoopDelayMs: Number.POSITIVE_INFINITY }],
    [{ LOG_LEVEL: "debug" }, { logLevel: "debug" }],
    [{ DRAIN_SECONDS: "0" }, { drainMs: 0 }],
    [{}, { workers: undefined }],
    [{ WORKERS: "1" }, { workers: undefined }],
    [{ WORKERS: "64" }, { workers: 64 }],
    [{ WORKERS: "auto" }, { workers: availableParallelism() }],
    [{ WORKERS: "auto", GATEHOUSE_ROLE: "admin" }, { workers: undefined }],
    [{ DRAIN_SECONDS: "30" }, { drainMs: 30_000 }],
    [{ SNAPSHOT_MAX_AGE_MINUTES: "0" }, { snapshotMaxAgeMs: 0 }],
  ] as [Environment, Partial<Config>][]) {
    it(`reads ${JSON.stringify(environment)}`, () => {
      const config = readConfig(environment);
      assert.deepEqual({ ...config, ...read }, config);
    });
  }

  it("uses the key file in DATA_DIR unless another one is set", () => {
    assert.equal(keyFileOf(readConfig({ DATA_DIR: "/d" })), "/d/gatehouse.key");
    assert.equal(keyFileOf(readConfig({ DATA_DIR: "/d", GATEHOUSE_KEY_FILE: "/k" })), "/k");
  });

  for (const [environment, message] of [
    [
      { AUDIT_FILE: "/audit.jsonl" },
      "AUDIT_FILE is no longer supported. Remove it, set LOG_FILES_DIR, and create a log destination of the kind file for the audit log; see docs/guide/audit-log.md",
    ],
    [{ PORT: "65536" }, 'PORT must be a number from 0 to 65535, not "65536"'],
    [{ PORT: "-1" }, 'PORT must be a number from 0 to 65535, not "-1"'],
    [{ PORT: "80a" }, 'PORT must be a number from 0 to 65535, not "80a"'],
    [{ PORT: "1e3" }, 'PORT must be a number from 0 to 65535, not "1e3"'],
    [{ DATABASE_URL: "mysql://db", GATEHOUSE_KEY_FILE: "/k" }, "DATABASE_URL must begin with postgres://"],
    [
      { DATABASE_URL: "postgres://u:p@db/x" },
      "DATABASE_URL requires GATEHOUSE_KEY_FILE, because all replicas need the same key",
    ],
    [
      { DATABASE_URL: "postgres://a", DATABASE_URL_FILE: databaseFile },
      "Set DATABASE_URL or DATABASE_URL_FILE, not both",
    ],
    [{ DATABASE_URL_FILE: "/no/such" }, "DATABASE_URL_FILE: cannot read /no/such"],
    ...["u:p@a:5432,b:5432/x", "u:p@a,b/x", "u:p@db:99999/x", "u:p/q@db/x", "u:p#q@db/x", "u:p?q@db/x"].map(
      (rest) =>
        [
          { DATABASE_URL: `postgres://${rest}`, GATEHOUSE_KEY_FILE: "/k" },
          "DATABASE_URL must be the URL of one Postgres server. In its password, / ? # @ and % must be percent-encoded",
        ] as const,
    ),
    ...["gate.example.com", "ftp://x", "https://x?a=1", "https://x#a", "https://u@x", "https://:p@x", "https://"].map(
      (text) =>
        [
          { BASE_URL: text },
          `BASE_URL must be an http or https URL such as https://gatehouse.example.com, not "${text}"`,
        ] as const,
    ),
    [
      { GATEWAY_URL: "nowhere" },
      'GATEWAY_URL must be an http or https URL such as https://gatehouse.example.com, not "nowhere"',
    ],
    ...["localhost", "-a.example", "a..b", "a.b-", "ex_ample.com", ".com"].map(
      (text) => [{ ORG_DOMAIN: text }, `ORG_DOMAIN must be a domain such as example.com, not "${text}"`] as const,
    ),
    ...["changeme", "a".repeat(40), "abcdefgh:abcdefghabcdefgh", `${TOKEN} x`, `ü${TOKEN}`].map(
      (text) =>
        [
          { GATEHOUSE_BOOTSTRAP_TOKEN: text },
          "GATEHOUSE_BOOTSTRAP_TOKEN must be at least 24 random characters, such as: openssl rand -hex 24",
        ] as const,
    ),
    [
      { GATEHOUSE_BOOTSTRAP_TOKEN: TOKEN, GATEHOUSE_BOOTSTRAP_TOKEN_FILE: secretFile },
      "Set GATEHOUSE_BOOTSTRAP_TOKEN or GATEHOUSE_BOOTSTRAP_TOKEN_FILE, not both",
    ],
    [{ GATEHOUSE_ROLE: "both" }, 'GATEHOUSE_ROLE must be one of all, admin, gateway, not "both"'],
    [{ REGISTRY_SYNC: "yes" }, 'REGISTRY_SYNC must be one of on, off, not "yes"'],
    [
      { REGISTRY_URL: "registry" },
      'REGISTRY_URL must be an http or https URL such as https://gatehouse.example.com, not "registry"',
    ],
    [{ MAX_EVENT_LOOP_DELAY_MS: "49" }, 'MAX_EVENT_LOOP_DELAY_MS must be 0 or a number from 50 to 60000, not "49"'],
    [{ MAX_EVENT_LOOP_DELAY_MS: "1s" }, 'MAX_EVENT_LOOP_DELAY_MS must be 0 or a number from 50 to 60000, not "1s"'],
    [{ CONNECTIONS_PER_ADDRESS: "-1" }, 'CONNECTIONS_PER_ADDRESS must be a number from 0 to 999999, not "-1"'],
    ...["0", "65", "-1", "two", "1.5"].map(
      (text) => [{ WORKERS: text }, `WORKERS must be auto or a number from 1 to 64, not "${text}"`] as const,
    ),
    [
      { WORKERS: "2", GATEHOUSE_ROLE: "admin" },
      "WORKERS must be 1 with GATEHOUSE_ROLE=admin, because workers share the calls at /mcp",
    ],
    [{ DRAIN_SECONDS: "301" }, 'DRAIN_SECONDS must be a number from 0 to 300, not "301"'],
    [{ DRAIN_SECONDS: "-1" }, 'DRAIN_SECONDS must be a number from 0 to 300, not "-1"'],
    [{ SNAPSHOT_MAX_AGE_MINUTES: "61" }, 'SNAPSHOT_MAX_AGE_MINUTES must be a number from 0 to 60, not "61"'],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"'],
    ...["proxy.example", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/8/8", "10.0.0", "::/129", "true"].map(
      (text) =>
        [
          { TRUSTED_PROXIES: `127.0.0.1,${text}` },
          `TRUSTED_PROXIES must list addresses or ranges such as 10.0.0.0/8, not "${text}"`,
        ] as const,
    ),
    [{ GATEHOUSE_ROLLE: "all" }, 'GATEHOUSE_ROLLE is not a setting; "gatehouse serve --help" lists them'],
    [{ GATEHOUSE_KEY_FILE_FILE: "" }, 'GATEHOUSE_KEY_FILE_FILE is not a setting; "gatehouse serve --help" lists them'],
  ] as const) {
    it(`rejects ${JSON.stringify(environment)}`, () => {
      assert.throws(() => readConfig(environment), { name: "BadSetting", message });
    });
  }

  it("rejects an invalid EGRESS_ALLOW and names the entry", () => {
    assert.throws(
      () => readConfig({ EGRESS_ALLOW: "10.0.0.0/99" }),
      (error) => error instanceof BadSetting && /^EGRESS_ALLOW: .*10\.0\.0\.0\/99/.test(error.message),
    );
  });

  it("never includes a secret in an error message", () => {
    for (const environment of [
      { GATEHOUSE_BOOTSTRAP_TOKEN: "hunter2" },
      { DATABASE_URL: "mysql://root:hunter2@db", GATEHOUSE_KEY_FILE: "/k" },
      { DATABASE_URL: "postgres://root:hunter2@db:99999/x", GATEHOUSE_KEY_FILE: "/k" },
    ]) {
      assert.throws(
        () => readConfig(environment),
        (error) => error instanceof BadSetting && !error.message.includes("hunter2"),
      );
    }
  });
});

describe("isLoopback", () => {
  for (const [host, expected] of [
    ["127.0.0.1", true],
    ["127.1.2.3", true],
    ["localhost", true],
    ["::1", true],
    ["0.0.0.0", false],
    ["::", false],
    ["127.0.0.1.example.com", false],
    ["10.0.0.1", false],
  ] as const) {
    it(`returns ${expected} for ${host}`, () => assert.equal(isLoopback(host), expected));
  }
});
