import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { newDataDir, start } from "./start-command.ts";

/** Each test starts separate processes in separate folders. */
const CONCURRENTLY = { concurrency: 3 };

describe("gatehouse serve", CONCURRENTLY, () => {
  it("prints its URL and the path of the first token, serves, and exits with 0 on SIGTERM", async () => {
    const dataDir = await newDataDir();
    const service = start({ DATA_DIR: dataDir });
    const address = await service.served();
    assert.match(service.output.stdout, / {2}Gateway {4}http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
    const file = join(dataDir, "admin-token");
    assert.ok(service.output.stdout.includes(`  API token  created in ${file}\n`), service.output.stdout);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const token = readFileSync(file, "utf8").trim();
    const authorization = `Bearer ${token}`;
    assert.equal((await fetch(`${address}/readyz`)).status, 200);
    assert.equal((await fetch(`${address}/api/users`, { headers: { authorization } })).status, 200);
    service.child.kill("SIGTERM");
    const { code, stdout, stderr } = await service.ended;
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(!stdout.includes(token));

    assert.match(stdout, /\n\nNo owner yet\. Create .*:\n {2}http:\/\/127\.0\.0\.1:\d+\/setup-link#gh_su_\w+\n/);

    const again = start({ DATA_DIR: dataDir });
    const sameAddress = await again.served();
    assert.equal((await fetch(`${sameAddress}/api/users`, { headers: { authorization } })).status, 200);
    assert.ok(!again.output.stdout.includes("API token"), "created only on the first start");
    again.child.kill("SIGINT");
    assert.equal((await again.ended).code, 0);
  });

  it("prints only the addresses that its role serves", async () => {
    for (const [role, printed] of [
      ["gateway", /^ {2}Gateway /m],
      ["admin", /^ {2}API {4}/m],
    ] as const) {
      const service = start({ DATA_DIR: await newDataDir(), GATEHOUSE_ROLE: role });
      await service.served();
      service.child.kill("SIGTERM");
      const { stdout } = await service.ended;
      assert.match(stdout, printed);
      assert.doesNotMatch(stdout, role === "gateway" ? /^ {2}API {4}/m : /^ {2}Gateway /m);
    }
  });

  it("started twice concurrently in an empty DATA_DIR, serves once until it ends, with one key and one token", async () => {
    const dataDir = await newDataDir();
    const services = [start({ DATA_DIR: dataDir }), start({ DATA_DIR: dataDir })];
    const refused = await Promise.race(services.map((service) => service.ended));
    assert.match(refused.stderr, /^gatehouse: DATA_DIR \(.*\) is in use by another Gatehouse process\. .*\n$/);
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    const service = services.find(({ child }) => child.exitCode === null);
    assert.ok(service);
    const address = await service.served();
    assert.equal((await fetch(`${address}/readyz`)).status, 200);
    const authorization = `Bearer ${readFileSync(join(dataDir, "admin-token"), "utf8").trim()}`;
    const tokens = await fetch(`${address}/api/api-tokens`, { headers: { authorization } });
    assert.equal(((await tokens.json()) as { data: unknown[] }).data.length, 1);
    // The lock ends with its process, however that ends.
    service.child.kill("SIGKILL");
    await service.ended;
    const next = start({ DATA_DIR: dataDir });
    await next.served();
    next.child.kill("SIGTERM");
    assert.equal((await next.ended).code, 0);
  });

  it("ignores the variables of the command line client", async () => {
    const service = start({
      DATA_DIR: await newDataDir(),
      GATEHOUSE_URL: "not a URL",
      GATEHOUSE_TOKEN: "t",
      GATEHOUSE_TOKEN_FILE: "/does/not/exist",
      GATEHOUSE_ACCESS_KEY: "without a secret",
      GATEHOUSE_ACCESS_KEY_FILE: "/does/not/exist",
      GATEHOUSE_SCAN_TOKEN: "t",
    });
    assert.equal((await fetch(`${await service.served()}/readyz`)).status, 200);
    service.child.kill("SIGTERM");
    assert.equal((await service.ended).code, 0);
  });

  const refusals: [string, (dataDir: string) => Record<string, string> | Promise<Record<string, string>>, RegExp][] = [
    ["an unknown setting", () => ({ GATEHOUSE_PORT: "1" }), /^gatehouse: GATEHOUSE_PORT is not a setting;.*\n$/],
    [
      "a key file without a key",
      (dataDir) => {
        writeFileSync(join(dataDir, "key"), "changeme");
        return { GATEHOUSE_KEY_FILE: join(dataDir, "key") };
      },
      /^gatehouse: the key file .* must hold 32 bytes in base64 or hex\n$/,
    ],
    [
      "a DATA_DIR in which nothing can be created",
      async () => ({ DATA_DIR: "/proc/gatehouse/data" }),
      /^gatehouse: DATA_DIR: ENOENT.*\n$/,
    ],
    [
      "a DATA_DIR that cannot be created",
      (dataDir) => {
        writeFileSync(join(dataDir, "file"), "");
        return { DATA_DIR: join(dataDir, "file", "data") };
      },
      /^gatehouse: DATA_DIR: ENOTDIR.*\n$/,
    ],
    [
      "a local servers file that is not JSON",
      (dataDir) => {
        writeFileSync(join(dataDir, "servers.json"), "{");
        return { LOCAL_SERVERS_FILE: join(dataDir, "servers.json") };
      },
      /^gatehouse: LOCAL_SERVERS_FILE: .*servers\.json is not valid JSON\n$/,
    ],
  ];
  for (const [what, prepare, line] of refusals) {
    it(`with ${what}, prints one clear line and exits with 78`, async () => {
      const dataDir = await newDataDir();
      const { code, stdout, stderr } = await start({ DATA_DIR: dataDir, ...(await prepare(dataDir)) }).ended;
      assert.match(stderr, line);
      assert.deepEqual([code, stdout], [78, ""]);
    });
  }

  for (const workers of ["1", "2"]) {
    it(`on a port that is in use, prints one clear line and exits with 78, with WORKERS=${workers}`, async () => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const { port } = other.address() as AddressInfo; // a TCP listener's address is never a path
      const settings = { DATA_DIR: await newDataDir(), PORT: String(port), WORKERS: workers };
      const { code, stderr } = await start(settings).ended;
      other.close();
      assert.match(stderr, /^gatehouse: HOST, PORT: .*EADDRINUSE.*\n$/);
      assert.equal(code, 78);
    });
  }

  it("without its database, prints one clear line and exits with 1, so that a supervisor retries", async () => {
    const dataDir = await newDataDir();
    const key = join(dataDir, "key");
    writeFileSync(key, Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7)).toString("base64"));
    const database = { DATABASE_URL: "postgres://gate:hunter2@127.0.0.1:1/x", GATEHOUSE_KEY_FILE: key };
    const { code, stdout, stderr } = await start({ DATA_DIR: dataDir, LOG_LEVEL: "silent", ...database }).ended;
    assert.match(stderr, /^gatehouse: Cannot reach the database: .*\n$/);
    assert.equal(code, 1);
    assert.ok(!`${stdout}${stderr}`.includes("hunter2"));
  });
});

/** Digests of all database files. */
function filesOf(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir).filter((name) => /\.db(?:-wal)?$/.test(name));
  const digest = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(dataDir, name)))
      .digest("hex");
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

describe("gatehouse keys", CONCURRENTLY, () => {
  const run = (environment: Record<string, string>, ...args: string[]) => start(environment, ["keys", ...args]).ended;
  const serveOnce = async (environment: Record<string, string>, use = async (_address: string) => {}) => {
    const service = start(environment);
    await use(await service.served());
    service.child.kill("SIGTERM");
    const { code, stdout } = await service.ended;
    assert.equal(code, 0);
    return stdout;
  };

  it("guides an operator through a key rotation: generate, restart, rotate, status, restart", async () => {
    const dataDir = await newDataDir();
    const [oldFile, newFile] = [join(dataDir, "gatehouse.key"), join(dataDir, "new.key")];
    await serveOnce({ DATA_DIR: dataDir });

    const made = await run({}, "generate", newFile);
    assert.deepEqual([made.code, statSync(newFile).mode & 0o777], [0, 0o600]);
    const newId = made.stdout.trim();
    assert.match(newId, /^[0-9a-f]{16}$/);
    const again = await run({}, "generate", newFile);
    assert.deepEqual(
      [again.code, again.stderr],
      [78, `gatehouse: ${newFile} already exists, and key files are never overwritten\n`],
    );

    const both = { DATA_DIR: dataDir, GATEHOUSE_KEY_FILE: newFile, GATEHOUSE_PREVIOUS_KEY_FILE: oldFile };
    const service = start(both);
    await service.served();
    const before = JSON.parse((await run(both, "status", "-o", "json")).stdout);
    assert.deepEqual([before.current_key, before.previous_key_may_be_removed], [newId, false]);
    const rotated = await run(both, "rotate");
    assert.deepEqual([rotated.code, rotated.stdout], [0, ""]);
    assert.equal(rotated.stderr, `Wrapped ${before.data_keys.length} data keys with key ${newId}.\n`);
    const { code, stdout } = await run(both, "status");
    assert.equal(code, 0);
    assert.match(stdout, /not needed anymore: remove GATEHOUSE_PREVIOUS_KEY_FILE/);
    service.child.kill("SIGTERM");
    assert.equal((await service.ended).code, 0);

    await serveOnce({ DATA_DIR: dataDir, GATEHOUSE_KEY_FILE: newFile }, async (address) => {
      assert.equal((await fetch(`${address}/readyz`)).status, 200);
    });
  });

  it("does not serve, migrate, or rotate without the key that sealed the database (SEC-7)", async () => {
    const dataDir = await newDataDir();
    await serveOnce({ DATA_DIR: dataDir });
    const files = filesOf(dataDir);
    assert.deepEqual(Object.keys(files).sort(), ["calls.db", "calls.db-wal", "gatehouse.db", "gatehouse.db-wal"]);
    const wrongFile = join(dataDir, "wrong.key");
    await run({}, "generate", wrongFile);
    const wrong = { DATA_DIR: dataDir, GATEHOUSE_KEY_FILE: wrongFile };
    const missing = /the database is sealed with key [0-9a-f]{16}, but the key file holds [0-9a-f]{16}: set /;

    const greeting = await serveOnce(wrong, async (address) => {
      assert.equal((await fetch(`${address}/readyz`)).status, 503);
    });
    assert.match(greeting, missing);
    for (const args of [["migrate"], ["keys", "rotate"], ["keys", "rotate", "--data-keys"]]) {
      const { code, stdout, stderr } = await start(wrong, args).ended;
      assert.deepEqual([code, stdout], [78, ""], args.join(" "));
      assert.match(stderr, missing);
    }
    const { code, stdout } = await run(wrong, "status");
    assert.equal(code, 1);
    assert.match(stdout, missing);
    assert.deepEqual(filesOf(dataDir), files, "not a byte was changed");
  });

  it("creates neither a database nor a key if there is none", async () => {
    const dataDir = await newDataDir();
    for (const args of [["status"], ["rotate"]]) assert.equal((await run({ DATA_DIR: dataDir }, ...args)).code, 0);
    assert.deepEqual(readdirSync(dataDir), []);
  });

  for (const args of [
    [],
    ["no-such"],
    ["toString"],
    ["generate"],
    ["generate", "a", "b"],
    ["status", "-o", "xml"],
    ["rotate", "--all"],
  ]) {
    it(`${args.join(" ") || "without arguments"} prints its usage and exits with 64`, async () => {
      const { code, stdout, stderr } = await run({ DATA_DIR: await newDataDir() }, ...args);
      assert.deepEqual([code, stdout], [64, ""]);
      assert.match(stderr, /^gatehouse: .*\nUsage: gatehouse keys status/);
    });
  }
});
