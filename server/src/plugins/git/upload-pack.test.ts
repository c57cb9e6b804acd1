import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, beforeEach, describe, it } from "node:test";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { type GitFile, type ObjectId, objectId } from "./objects.ts";
import { pktLine } from "./pkt-line.ts";
import { Repository, type Snapshot } from "./repository.ts";
import { ADVERTISEMENT_TYPE, advertisement, planUpload, RESULT_TYPE, writeUpload } from "./upload-pack.ts";

const AUTHOR = { name: "Gatehouse", email: "gatehouse@example.com" };
type Files = Readonly<Record<string, string | Buffer>>;

/** A repository of these releases, at a URL that git uses. */
class Served {
  readonly #blobs = new Map<ObjectId, Buffer>();
  readonly #snapshots: Snapshot[] = [];
  readonly #server: Server;
  repository = new Repository([]);
  posts = 0;

  constructor() {
    this.#server = createServer(async (request, response) => {
      if (request.method === "GET")
        return response.writeHead(200, { "content-type": ADVERTISEMENT_TYPE }).end(advertisement(this.repository));
      this.posts++;
      const sent = await buffer(request);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
      response.writeHead(200, { "content-type": RESULT_TYPE });
      for await (const part of writeUpload(planUpload(this.repository, body), async (id) => this.blob(id)))
        response.write(part);
      return response.end();
    });
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/plugin.git`;
  }

  blob(id: ObjectId): Buffer {
    return this.#blobs.get(id) ?? assert.fail(`no blob ${id}`);
  }

  release(version: string, contents: Files): void {
    const files = Object.entries(contents).map(([path, content]): GitFile => {
      const body = Buffer.from(content);
      const blobId = objectId("blob", body);
      this.#blobs.set(blobId, body);
      return { path, blobId, executable: path.endsWith(".sh") };
    });
    const at = Date.UTC(2026, 0, 1) + this.#snapshots.length * 1000;
    this.#snapshots.push({ files, author: AUTHOR, at, message: `Release ${version}`, tag: `v${version}` });
    this.repository = new Repository(this.#snapshots);
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return promisify(this.#server.close.bind(this.#server))();
  }
}

describe("git over HTTP", () => {
  let served: Served;
  let folder: string;
  const git = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
    const { stdout } = await promisify(execFile)("git", args, { cwd: folder, env, timeout: 60_000 });
    return stdout.trim();
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-git-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async (t) => {
    served = new Served();
    await served.listen();
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    if ("after" in t) t.after(() => served.close());
  });

  const first: Files = {
    "README.md": "# One\n",
    "skills/review/SKILL.md": "---\nname: review\n---\nRead it.\n",
    "skills/review/scripts/run.sh": "#!/bin/sh\necho hello\n",
    // Git sorts folders as if their names ended with a slash: "a-b" < "a/" < "a.txt" is wrong, "a-b" < "a.txt" < "a/" right.
    "a-b": "1",
    "a.txt": "2",
    "a/x": "3",
    "logo.png": randomBytes(300_000),
    "ünïcode name.md": "é",
    empty: "",
  };

  it("clones every file with its bytes and mode, and the commits are valid", async () => {
    served.release("1.0.0", first);
    await git("clone", "--quiet", served.url, "clone");
    await git("-C", "clone", "fsck", "--strict", "--full");
    for (const [path, content] of Object.entries(first)) {
      assert.deepEqual(await readFile(join(folder, "clone", path)), Buffer.from(content), path);
      assert.equal(((await stat(join(folder, "clone", path))).mode & 0o111) !== 0, path.endsWith(".sh"), path);
    }
    assert.equal(await git("-C", "clone", "rev-parse", "HEAD"), served.repository.tip);
    assert.equal(await git("-C", "clone", "status", "--porcelain"), "");
    assert.equal(
      await git("-C", "clone", "log", "--format=%an <%ae> %s"),
      "Gatehouse <gatehouse@example.com> Release 1.0.0",
    );
  });

  it("pulls later releases by fast-forward, also into a shallow clone, and sends only what is missing", async () => {
    served.release("1.0.0", first);
    await git("clone", "--quiet", served.url, "full");
    await git("clone", "--quiet", "--depth", "1", served.url, "shallow");
    served.release("1.1.0", { ...first, "README.md": "# Two\n" });
    served.release("2.0.0", { "README.md": "# Three\n" });
    for (const clone of ["full", "shallow"]) {
      await git("-C", clone, "pull", "--quiet", "--ff-only");
      assert.equal(await git("-C", clone, "rev-parse", "HEAD"), served.repository.tip);
      assert.deepEqual((await readdir(join(folder, clone))).sort(), [".git", "README.md"]);
      await git("-C", clone, "fsck", "--strict", "--full");
    }
    assert.equal(await git("-C", "full", "tag"), "v1.0.0\nv1.1.0\nv2.0.0");
    assert.equal(await git("-C", "full", "show", "v1.1.0:README.md"), "# Two");
    assert.equal(await git("-C", "full", "rev-list", "--count", "HEAD"), "3");
  });

  it("makes shallow clones, deepens them, and completes them", async () => {
    for (let n = 0; n < 5; n++) served.release(`1.${n}.0`, { "README.md": `# ${n}\n` });
    const count = () => git("-C", "clone", "rev-list", "--count", "HEAD");
    await git("clone", "--quiet", "--depth", "1", served.url, "clone");
    assert.equal(await count(), "1");
    await git("-C", "clone", "fetch", "--quiet", "--depth", "3");
    assert.equal(await count(), "3");
    await git("-C", "clone", "fetch", "--quiet", "--unshallow");
    assert.equal(await count(), "5");
    await git("-C", "clone", "fsck", "--strict", "--full");
  });

  it("fetches a pinned commit, and a part of the files", async () => {
    served.release("1.0.0", first);
    const pinned = served.repository.tip ?? "";
    served.release("1.1.0", { "README.md": "# Two\n" });
    await git("init", "--quiet", "pinned");
    await git("-C", "pinned", "fetch", "--quiet", "--depth", "1", served.url, pinned);
    await git("-C", "pinned", "checkout", "--quiet", "FETCH_HEAD");
    assert.equal(await git("-C", "pinned", "show", "HEAD:README.md"), "# One");
    for (const filter of ["tree:0", "blob:none"]) {
      const name = filter.replace(":", "-");
      await git("clone", "--quiet", `--filter=${filter}`, "--no-checkout", served.url, name);
      await git("-C", name, "checkout", "--quiet", "v1.0.0", "--", "skills/review/SKILL.md");
      const checkedOut = await readFile(join(folder, name, "skills/review/SKILL.md"), "utf8");
      assert.equal(checkedOut, first["skills/review/SKILL.md"]);
    }
  });

  it("serves a repository without commits, and refuses unknown objects", async () => {
    await git("clone", "--quiet", served.url, "empty");
    served.release("1.0.0", { "README.md": "# One\n" });
    await git("-C", "empty", "pull", "--quiet", "--ff-only", "origin", "main");
    const unknown = "1".repeat(40);
    await assert.rejects(git("-C", "empty", "fetch", served.url, unknown), /not our ref/);
  });

  it("answers malformed requests with an error", async () => {
    served.release("1.0.0", { "README.md": "# One\n" });
    const answer = async (body: Buffer) => {
      const parts: Buffer[] = [];
      for await (const part of writeUpload(planUpload(served.repository, body), async (id) => served.blob(id)))
        parts.push(part);
      return Buffer.concat(parts);
    };
    const want = `want ${served.repository.tip}\n`;
    for (const [body, error] of [
      ["zzzz", "malformed request"],
      ["00ff", "malformed request"],
      [pktLine("want 123\n"), "malformed object id"],
      [pktLine("push it\n"), "unknown line push"],
      [Buffer.concat([pktLine(want), pktLine("deepen -1\n")]), "malformed depth"],
      [Buffer.concat([pktLine(want), pktLine("filter sparse:oid=1\n")]), "unsupported filter sparse:oid=1"],
      [Buffer.concat(Array.from({ length: 20_001 }, () => pktLine("done"))), "too many lines"],
    ] as const)
      assert.deepEqual(await answer(Buffer.from(body)), pktLine(`ERR upload-pack: ${error}`));
    assert.equal((await answer(Buffer.from("0000"))).length, 0, "git sends this before a large request");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await answer(Buffer.from(bytes));
      }),
    );
  });

  it("pulls many releases, one after another, whatever they contain", async () => {
    const name = fc.stringMatching(/^[a-z.-]{1,3}[a-z]$/);
    const files = fc.dictionary(
      fc.oneof(
        name.map((file) => `file-${file}`),
        fc.tuple(name, name).map(([one, other]) => `folder-${one}/${other}`),
      ),
      fc.string({ unit: "grapheme" }),
      { minKeys: 1, maxKeys: 12 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(files, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 5 }),
        async (releases, cloned) => {
          const each = new Served();
          await each.listen();
          try {
            for (const [n, contents] of releases.entries()) {
              each.release(`0.0.${n}`, contents);
              if (n === Math.min(cloned, releases.length - 1)) await git("clone", "--quiet", each.url, "random");
            }
            await git("-C", "random", "pull", "--quiet", "--ff-only");
            await git("-C", "random", "fsck", "--strict", "--full");
            const listed = (await git("-C", "random", "ls-files", "-z")).split("\0").filter(Boolean);
            const expected = releases.at(-1) ?? {};
            assert.deepEqual(listed.sort(), Object.keys(expected).sort());
            for (const path of listed)
              assert.equal(await readFile(join(folder, "random", path), "utf8"), expected[path]);
          } finally {
            await each.close();
            await rm(join(folder, "random"), { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
