import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { deleteUnusedBlobs } from "#records/file-blobs";
import { forEachApi } from "#test/api";
import { createGroup, createPerson } from "#test/factories";
import { makeZip, SKILL_MD } from "#test/zip";

forEachApi("skills", (api) => {
  before(async () => {
    await createPerson(api.service, "Ada", "ada@example.com");
    await createGroup(api.service, "Writers", { emails: ["ada@example.com"] });
  });
  beforeEach(async () => {
    const { body } = await api.call("GET", "/api/skills");
    for (const { slug } of body.data) await api.call("DELETE", `/api/skills?slug=${slug}`);
  });

  const notes = { name: "notes", description: "Writes notes.", content: "# Notes\n" };
  const create = async (body: object) => {
    const answer = await api.call("POST", "/api/skills", body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const get = async (query = "") => (await api.call("GET", `/api/skills/notes${query}`)).body.data;
  const upload = (archive: Buffer, query = "", path = "/api/skills/import") =>
    api.service.http(`${path}${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.service.token}`, "content-type": "application/zip" },
      body: archive,
    });

  it("are created as drafts from fields and files, and read with their contents", async () => {
    const { data } = await create({
      ...notes,
      license: "MIT",
      metadata: { version: "1.2.0" },
      allowed_tools: ["Read", "Bash(git *)"],
      files: [
        { path: "scripts/run.sh", content: "#!/bin/sh\n", executable: true },
        { path: "assets/dot.png", content_base64: Buffer.from([0x89, 0, 1]).toString("base64") },
      ],
      groups: ["writers"],
    });
    assert.deepEqual(
      [data.slug, data.status, data.version, data.version_label, data.groups, data.files_count, data.source],
      ["notes", "draft", 1, "1.2.0", ["Writers"], 3, null],
    );
    const detail = await get();
    assert.equal(detail.content, "# Notes\n");
    assert.deepEqual(
      detail.files.map((file: Record<string, unknown>) => [file.path, file.executable, file.mime_type]),
      [
        ["SKILL.md", false, "text/markdown"],
        ["assets/dot.png", false, "image/png"],
        ["scripts/run.sh", true, "application/x-sh"],
      ],
    );
    assert.equal(
      detail.files[0].content,
      "---\nname: notes\ndescription: Writes notes.\nlicense: MIT\nmetadata:\n  version: 1.2.0\nallowed-tools: Read Bash(git *)\n---\n\n# Notes\n",
    );
    assert.deepEqual([detail.files[1].content, detail.files[1].content_base64], [null, "iQAB"]);
    const few = await get("?fields=name,files(path,size)");
    assert.deepEqual(few.files[2], { path: "scripts/run.sh", size: 10 });
    const file = await api.call("GET", "/api/skills/notes/files?path=scripts/run.sh");
    assert.equal(file.body.data.content, "#!/bin/sh\n");
    await api.expect(404, { error: "File not found" }, "GET", "/api/skills/notes/files?path=x");
    await api.expect(404, { error: "Skill not found" }, "GET", "/api/skills/none");
    await api.expect(404, { error: "Version not found" }, "GET", "/api/skills/notes?version=2");
  });

  it("name the field that is wrong, and store nothing", async () => {
    const refused = (message: string, body: object) =>
      api.invalid(message, "POST", "/api/skills", { ...notes, ...body });
    await refused("name: must be 1-64 lowercase letters, digits and single hyphens", { name: "No Tes" });
    await refused("content: must not start with ---: the front matter is generated", { content: "---\n" });
    await refused('files.0.path: path "../x" must not contain empty, . or .. segments', {
      files: [{ path: "../x", content: "" }],
    });
    await refused('files.1.path: duplicate path "A"', {
      files: [
        { path: "a", content: "" },
        { path: "A", content: "" },
      ],
    });
    await refused("files.0.path: SKILL.md is written from the other fields", {
      files: [{ path: "skill.md", content: "" }],
    });
    await refused("files.0: must have one of content, content_base64 and digest", { files: [{ path: "a" }] });
    await refused("files.0.content_base64: must be valid base64", { files: [{ path: "a", content_base64: "%%" }] });
    await refused("files.0.digest: is not a file of this skill", { files: [{ path: "a", digest: "sha256:0" }] });
    await api.expect(400, { error: "Groups not found: Missing" }, "POST", "/api/skills", {
      ...notes,
      groups: ["Missing"],
    });
    assert.deepEqual((await api.call("GET", "/api/skills")).body.data, []);
    await create(notes);
    await api.invalid("name: skill with this name already exists", "POST", "/api/skills", notes);
  });

  it("get a version with each change of the content, and only then", async () => {
    await create({ ...notes, files: [{ path: "a.txt", content: "a" }] });
    const patch = async (body: object) => {
      const answer = await api.call("PATCH", "/api/skills?slug=notes", body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    assert.equal((await patch({ status: "active", groups: ["Writers"] })).version, 1);
    assert.equal((await patch({ description: "Writes notes.", content: "# Notes\n" })).version, 1);
    assert.equal((await patch({ description: "Writes more." })).version, 2);
    const { digest } = (await get()).files[1];
    const kept = await patch({
      files: [
        { path: "b.txt", digest },
        { path: "c.txt", content: "c" },
      ],
    });
    assert.deepEqual([kept.version, kept.files_count], [3, 3]);
    assert.equal(
      (
        await patch({
          files: [
            { path: "b.txt", digest, executable: true },
            { path: "c.txt", content: "c" },
          ],
        })
      ).version,
      4,
    );
    await api.invalid("name: cannot be changed", "PATCH", "/api/skills?slug=notes", { name: "other" });
    await api.expect(404, { error: "Skill not found" }, "PATCH", "/api/skills?slug=none", {});
    const { body } = await api.call("GET", "/api/skills/notes/versions");
    assert.deepEqual(
      body.data.map(({ version, current }: { version: number; current: boolean }) => [version, current]),
      [
        [4, true],
        [3, false],
        [2, false],
        [1, false],
      ],
    );
    const restored = await api.call("POST", "/api/skills/notes/rollback", { version: 1 });
    assert.deepEqual(
      [restored.body.data.version, restored.body.data.description, restored.body.data.source.type],
      [5, "Writes notes.", "rollback"],
    );
    assert.equal((await get()).files[1].content, "a");
    assert.equal((await get("?version=3")).files[1].path, "b.txt");
    await api.expect(404, { error: "Version not found" }, "POST", "/api/skills/notes/rollback", { version: 9 });
  });

  it("are imported from an archive and downloaded with the same bytes", async () => {
    const author = "---\r\nname: notes\r\ndescription: 'Writes notes.'  # mine\r\nx-extra: true\r\n---\r\nText\r\n";
    const files = [
      { path: "notes/SKILL.md", content: author },
      { path: "notes/bin/data", content: Buffer.from([0, 255, 1]), mode: 0o100755 },
    ];
    const imported = await upload(makeZip(files.map((file) => ({ ...file, deflate: true }))));
    assert.equal(imported.status, 201, imported.text);
    assert.deepEqual(imported.body.data.source.type, "upload");
    assert.deepEqual(imported.body.warnings, ['SKILL.md: field "x-extra" is not part of Agent Skills']);
    assert.equal((await get()).files[0].content, author);
    const again = await upload(makeZip(files));
    assert.deepEqual([again.status, again.body.message], [400, "name: skill with this name already exists"]);
    const same = await upload(makeZip(files), "?overwrite=true");
    assert.deepEqual([same.status, same.body.data.version], [200, 1]);
    const first = await api.call("GET", "/api/skills/notes/download");
    assert.equal(first.headers["content-type"], "application/zip");
    assert.equal(first.headers.etag, `"${imported.body.data.digest}"`);
    await api.call("DELETE", "/api/skills?slug=notes");
    const copy = await api.call("POST", "/api/skills/import", { archive_base64: first.bytes.toString("base64") });
    assert.deepEqual([copy.status, copy.body.data.digest], [201, imported.body.data.digest]);
    const second = await api.call("GET", "/api/skills/notes/download");
    assert.deepEqual(second.bytes, first.bytes);
  });

  it("are imported from text, and not from archives that are dangerous", async () => {
    const pasted = await api.call("POST", "/api/skills/import", { skill_md: SKILL_MD });
    assert.deepEqual([pasted.status, pasted.body.data.source.type], [201, "paste"]);
    await api.call("DELETE", "/api/skills?slug=notes");
    const skillMd = { path: "notes/SKILL.md", content: SKILL_MD };
    const refused = async (message: string, archive: Buffer) => {
      const answer = await upload(archive);
      assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }]);
    };
    await refused('archive: contains an unsafe path: "notes/../../x"', makeZip([skillMd, { path: "notes/../../x" }]));
    await refused(
      "archive: contains notes/x, which is a link or another special file",
      makeZip([skillMd, { path: "notes/x", content: "/etc", mode: 0o120777 }]),
    );
    await refused(
      "archive: is compressed by a factor of more than 100",
      makeZip([skillMd, { path: "notes/x", content: Buffer.alloc(3_000_000), deflate: true }]),
    );
    await refused("archive: is not a valid ZIP file", Buffer.from("PK"));
    await refused(
      "name: must be equal to the name of the folder: notes is in the folder other",
      makeZip([{ path: "other/SKILL.md", content: SKILL_MD }]),
    );
    await refused("SKILL.md: must be valid UTF-8", makeZip([{ path: "SKILL.md", content: Buffer.from([255]) }]));
    await api.invalid("body: must have one of archive_base64 and skill_md", "POST", "/api/skills/import", {});
    const other = await upload(makeZip([skillMd]), "", "/api/skills");
    assert.equal(other.status, 415);
    assert.deepEqual((await api.call("GET", "/api/skills")).body.data, []);
    const { n } = await api.db
      .selectFrom("skill_files")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    assert.equal(n, 0);
  });

  it("accept archives that are larger than other bodies", async () => {
    const content = Buffer.alloc(3_500_000, "abcdefgh\n");
    const archive = makeZip([
      { path: "notes/SKILL.md", content: SKILL_MD },
      ...Array.from({ length: 4 }, (_, at) => ({ path: `notes/${at}`, content })),
    ]);
    const imported = await upload(archive);
    assert.equal(imported.status, 201, imported.text);
    assert.equal((await upload(Buffer.alloc(25 * 1024 * 1024))).status, 413);
  });

  it("are validated with all findings, and nothing is stored", async () => {
    const validate = async (body: object) => (await api.call("POST", "/api/skills/validate", body)).body.data;
    assert.deepEqual(await validate({ skill_md: SKILL_MD }), { valid: true, name: "notes", errors: [], warnings: [] });
    const { valid, errors } = await validate({ skill_md: "---\nname: A\n---\n" });
    assert.equal(valid, false);
    assert.deepEqual(
      errors.map(({ field }: { field: string }) => field),
      ["name", "description", "content"],
    );
    const fields = await validate({ name: "Bad", files: [{ path: "x" }] });
    assert.deepEqual(
      fields.errors.map(({ field }: { field: string }) => field),
      ["description", "content"],
    );
    const broken = await upload(Buffer.from("x"), "", "/api/skills/validate");
    assert.deepEqual(broken.body.data.errors, [{ field: "archive", message: "is not a valid ZIP file" }]);
    assert.deepEqual((await validate({ archive_base64: "%" })).errors, [
      { field: "archive_base64", message: "must be valid base64" },
    ]);
    assert.deepEqual((await api.call("GET", "/api/skills")).body.data, []);
  });

  it("belong to groups, and users see the active ones of their groups", async () => {
    await create(notes);
    await api.expect(400, { error: "Skills not found: x" }, "POST", "/api/groups/Writers/skills", { slugs: ["x"] });
    await api.expect(200, { data: { success: true } }, "POST", "/api/groups/Writers/skills", { slugs: ["notes"] });
    const usable = async () => (await api.call("GET", "/api/user/skills?email=ada@example.com")).body.data;
    assert.deepEqual(await usable(), []);
    await api.call("PATCH", "/api/skills?slug=notes", { status: "active" });
    const [skill] = await usable();
    assert.deepEqual([skill.slug, skill.uri], ["notes", "skill://notes/SKILL.md"]);
    const inGroup = await api.call("GET", "/api/skills?status=active&search=NOTES", undefined, {
      "x-service-group": "writers",
    });
    assert.equal(inGroup.body.data.length, 1);
    await api.expect(200, { data: { success: true } }, "DELETE", "/api/groups/Writers/skills?slug=notes");
    assert.deepEqual(await usable(), []);
    const found = await api.call("GET", "/api/search?q=notes");
    assert.deepEqual(found.body.data.skills, [{ slug: "notes", description: "Writes notes.", status: "active" }]);
  });

  it("share files, which are deleted when nothing has them for a day", async () => {
    const blobs = async () => (await api.db.selectFrom("file_blobs").select("digest").execute()).length;
    await deleteUnusedBlobs(api.db, Number.MAX_SAFE_INTEGER, 1_000);
    assert.equal(await blobs(), 0);
    await create({
      ...notes,
      files: [
        { path: "a", content: "same" },
        { path: "b", content: "same" },
      ],
    });
    await create({ ...notes, name: "other", files: [{ path: "c", content: "same" }] });
    assert.equal(await blobs(), 3);
    await api.call("DELETE", "/api/skills?slug=notes");
    assert.equal(await deleteUnusedBlobs(api.db, 1, 1_000), 0);
    assert.equal(await deleteUnusedBlobs(api.db, Number.MAX_SAFE_INTEGER, 1_000), 1);
    assert.equal(await blobs(), 2);
  });

  it("in toolkits must exist when they are added", async () => {
    await create(notes);
    await api.expect(400, { error: "Skills not found: x" }, "POST", "/api/toolkits", { name: "Kit", skills: ["x"] });
    const kit = await api.call("POST", "/api/toolkits", { name: "Kit", skills: ["notes"] });
    assert.deepEqual(kit.body.data.skills, ["notes"]);
    await api.call("DELETE", "/api/toolkits?slug=kit");
  });
});
