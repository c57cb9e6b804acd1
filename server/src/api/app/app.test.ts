import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Browser, signedInAs } from "#test/browser";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type OwnService, startService } from "#test/start-service";
import { APP_PATHS } from "./app-paths.ts";

const SCRIPT = `export const words = "${"the app ".repeat(200)}";`;
const INDEX = `<!doctype html><html><head><meta name="base-path" content="__BASE__"><meta property="csp-nonce" nonce="__NONCE__">
<script type="module" src="/assets/index-abc.js" nonce="__NONCE__"></script></head><body></body></html>`;

/** Same layout as `tooling/build-web.mjs` produces. */
function writeApp(folder: string, index = INDEX): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), index);
  writeFileSync(join(folder, "assets/index-abc.js"), SCRIPT);
  writeFileSync(join(folder, "assets/index-abc.js.gz"), gzipSync(SCRIPT));
  writeFileSync(join(folder, "assets/small-abc.css"), "a{}");
  writeFileSync(join(folder, "assets/unlisted.js"), "unlisted");
  const files = {
    "index.html": { digest: "i", gzip: false },
    "assets/index-abc.js": { digest: "d", gzip: true },
    "assets/small-abc.css": { digest: "s", gzip: false },
    "assets/gone-abc.js": { digest: "g", gzip: false },
  };
  writeFileSync(join(folder, "build.json"), JSON.stringify({ sources: "x", files }));
}

describe("the admin app", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-app-"));
  let database: TestDatabase;
  let service: OwnService;
  let owner: Browser;
  before(async () => {
    writeApp(folder);
    database = await openTestSqlite();
    service = await startService(database, { appFolder: pathToFileURL(`${folder}/`) });
    owner = await signedInAs(service, "owner");
  });
  after(async () => {
    await service?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ownPaths = APP_PATHS.map((path) => path.replace("*", "some%2Fthing"));

  it("serves each of its URLs to signed-in people with a strict policy and a fresh nonce (WEB-1)", async () => {
    const nonces = new Set<string>();
    for (const path of ownPaths) {
      const { status, headers, text } = await owner.get(`${path}?q=1`);
      assert.deepEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"], path);
      const policy = String(headers["content-security-policy"]);
      const nonce = /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? "";
      assert.equal(text.split(`nonce="${nonce}"`).length, 3, path);
      assert.doesNotMatch(text, /__\w+__/);
      nonces.add(nonce);
      assert.match(policy, /^default-src 'none'; script-src 'self'; .*connect-src 'self'; .*frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["referrer-policy"], "same-origin");
      assert.equal(headers["cross-origin-opener-policy"], "same-origin");
    }
    assert.equal(nonces.size, ownPaths.length);
  });

  it("redirects everyone else to sign in and back to the requested page (AUTH-1, OA-9)", async () => {
    for (const path of ownPaths) {
      const { status, headers, text } = await new Browser(service).get(path);
      const root = path.startsWith("/") && path.split("/").length === 3 ? "../" : "./";
      assert.deepEqual(
        [status, headers.location, text],
        [303, `${root}sign-in?return_to=${encodeURIComponent(path)}`, ""],
      );
    }
    const signIn = await owner.signIn("owner@example.com");
    assert.deepEqual([signIn.status, signIn.headers.location], [303, "./"]);
  });

  it("redirects members to their connections", async () => {
    const member = await signedInAs(service, "member");
    const home = await member.get("/");
    assert.deepEqual([home.status, home.headers.location], [303, "./connections"]);
    assert.equal((await member.get("/connections")).status, 200);
  });

  it("responds to HEAD like GET, and to other methods and paths with a JSON 404", async () => {
    const head = await service.http("/logs", { method: "HEAD", headers: { cookie: owner.cookie } });
    assert.deepEqual([head.status, head.text, head.headers["content-type"]], [200, "", "text/html; charset=utf-8"]);
    for (const [method, path] of [
      ["POST", "/logs"],
      ["GET", "/nowhere"],
      ["GET", "/logs/more"],
      ["GET", "/index.html"],
      ["GET", "/build.json"],
    ] as const) {
      const answer = await service.http(path, { method, headers: { cookie: owner.cookie } });
      assert.deepEqual([answer.status, answer.text], [404, '{"error":"Not found"}'], path);
    }
  });

  it("shows a not-found page to browsers that navigate to unknown URLs", async () => {
    const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    for (const path of ["/nowhere", "/groups/a/b/c", "/logs/more"]) {
      const signedIn = await owner.get(path, { accept });
      assert.deepEqual([signedIn.status, signedIn.text.includes("/assets/index-abc.js")], [404, true], path);
      const signedOut = await service.http(path, { headers: { accept } });
      assert.deepEqual([signedOut.status, signedOut.headers["content-type"]], [404, "text/html; charset=utf-8"], path);
      assert.match(signedOut.text, /Page not found/);
    }
    for (const path of [
      "/api/nowhere",
      "/.well-known/nowhere",
      "/oauth/nowhere",
      "/assets/x.js",
      "/pages/x",
      "/mcp/A/b",
    ]) {
      const { headers } = await owner.get(path, { accept });
      assert.match(String(headers["content-type"]), /^application\/json/, path);
    }
    assert.equal((await service.http("/api/nowhere", { headers: { accept } })).status, 401);
  });

  it("serves its files to everyone, gzipped on request, with a long cache lifetime", async () => {
    for (const [accept, encoding, etag] of [
      ["br, gzip;q=0.9", "gzip", '"d-gzip"'],
      ["gzip;q=0", undefined, '"d"'],
      ["", undefined, '"d"'],
    ]) {
      const headers = { "accept-encoding": String(accept) };
      const answer = await service.http("/assets/index-abc.js", { headers });
      assert.deepEqual(
        [answer.status, answer.headers["content-encoding"], answer.headers.etag, answer.headers["content-type"]],
        [200, encoding, etag, "text/javascript; charset=utf-8"],
      );
      assert.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable");
      assert.equal(answer.headers.vary, "accept-encoding");
      const length = encoding ? gzipSync(SCRIPT).length : SCRIPT.length;
      assert.equal(answer.headers["content-length"], String(length));
      const again = await service.http("/assets/index-abc.js", {
        headers: { ...headers, "if-none-match": `W/${etag}` },
      });
      assert.deepEqual([again.status, again.text], [304, ""]);
    }
    assert.equal((await service.http("/assets/small-abc.css", { headers: { "accept-encoding": "gzip" } })).text, "a{}");
  });

  it("serves only files that the build lists", async () => {
    for (const path of [
      "/assets/unlisted.js",
      "/assets/gone-abc.js",
      "/assets/../index.html",
      "/assets/%2e%2e/index.html",
      "/assets/..%2findex.html",
      "/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
      "/assets//etc/passwd",
      "/assets/index-abc.js.gz",
      "/assets/index-abc.js%00.css",
      "/assets/",
      "/assets",
    ]) {
      const answer = await service.http(path);
      assert.deepEqual([answer.status, answer.text], [404, '{"error":"Not found"}'], path);
    }
  });

  it("picks up a new build and explains what to do when the build is missing", async () => {
    writeApp(folder, "newer");
    utimesSync(join(folder, "build.json"), 1, 1);
    assert.equal((await owner.get("/")).text, "newer");
    rmSync(join(folder, "build.json"));
    const missing = await owner.get("/users/ada");
    assert.equal(missing.status, 503);
    assert.match(missing.text, /npm run web:build/);
    assert.equal((await owner.api("GET", "/api/me")).status, 200);
    writeApp(folder);
  });

  it("supports a path in BASE_URL, and plain HTTP only on this machine", async () => {
    const appFolder = pathToFileURL(`${folder}/`);
    const below = await startService(database, { appFolder, config: { baseUrl: "http://127.0.0.1:8080/tools/gate" } });
    try {
      const { text } = await below.http("/groups/x", { headers: { cookie: owner.cookie } });
      assert.match(text, /content="\/tools\/gate".* src="\/tools\/gate\/assets\/index-abc\.js"/s);
    } finally {
      await below.close();
    }
    const plain = await startService(database, { appFolder, config: { baseUrl: "http://gatehouse.example.com" } });
    try {
      for (const cookie of ["", owner.cookie]) {
        const { status, text } = await plain.http("/", { headers: { cookie } });
        assert.deepEqual([status, text.includes("HTTPS required")], [400, true]);
      }
    } finally {
      await plain.close();
    }
  });

  it("is not served by a process with the gateway role", async () => {
    const gateway = await startService(database, {
      appFolder: pathToFileURL(`${folder}/`),
      config: { role: "gateway" },
    });
    try {
      for (const path of ["/", "/logs", "/assets/index-abc.js"]) {
        assert.equal((await gateway.http(path, { headers: { cookie: owner.cookie } })).status, 404, path);
      }
    } finally {
      await gateway.close();
    }
  });
});
