import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import fc from "fast-check";
import { forEachDatabase } from "#test/databases";
import { PluginFixture, sorted } from "#test/plugin-fixture";
import { startService } from "#test/start-service";

forEachDatabase("marketplaces at the gateway", (open) => {
  const fixture = new PluginFixture(open);
  const { write, publish, create, urlOf, get, releaseFiles } = fixture;

  it("are one repository for each caller, which follows the groups of the caller by fast-forward", async () => {
    const { git, stranger } = fixture.now;
    await create("Tools");
    await create("Secrets of G2", { slug: "extra", groups: [] });
    await git.run("clone", "--quiet", urlOf("marketplace"), "full");
    await git.run("clone", "--quiet", "--depth", "1", urlOf("marketplace"), "shallow");
    const foldersOf = async (clone: string) => {
      const names = [...(await git.filesOf(clone)).keys()].filter((path) => path.startsWith("plugins/"));
      return [...new Set(names.map((path) => path.split("/")[1]))].sort();
    };
    const pull = async () => {
      for (const clone of ["full", "shallow"]) {
        await git.run("-C", clone, "pull", "--quiet", "--ff-only");
        await git.run("-C", clone, "fsck", "--strict", "--full");
      }
      assert.deepEqual(await foldersOf("shallow"), await foldersOf("full"));
      return foldersOf("full");
    };
    assert.deepEqual(await foldersOf("full"), ["tools"]);
    assert.equal(await git.run("-C", "full", "pull", "--ff-only"), "Already up to date.");
    await write("POST", "/api/groups/g/plugins", { slugs: ["extra"] });
    assert.deepEqual(await pull(), ["extra", "tools"]);
    await write("PATCH", "/api/skills?slug=notes", { content: "# Changed\n" });
    await publish("tools");
    await pull();
    const inside = [...(await git.filesOf("full"))]
      .filter(([path]) => path.startsWith("plugins/tools/"))
      .map(([path, content]): [string, Buffer] => [path.slice("plugins/tools/".length), content]);
    assert.deepEqual(sorted(new Map(inside)), sorted(await releaseFiles("tools")));
    await write("DELETE", "/api/groups/g/plugins?slug=tools");
    assert.deepEqual(await pull(), ["extra"]);
    assert.equal(await git.run("-C", "full", "rev-list", "--count", "HEAD"), "4");
    await git.run("clone", "--quiet", urlOf("marketplace", stranger), "stranger");
    assert.deepEqual(await foldersOf("stranger"), []);
    // A deleted plugin is gone from the history too, so it starts again.
    await write("DELETE", "/api/plugins?slug=tools");
    await git.run("clone", "--quiet", urlOf("marketplace"), "again");
    assert.deepEqual(await foldersOf("again"), ["extra"]);
    assert.equal(await git.run("-C", "again", "rev-list", "--count", "HEAD"), "1");
    await git.run("-C", "again", "pull", "--quiet", "--ff-only");
  });

  it("get one commit if a caller fetches the marketplace several times concurrently", async () => {
    const { database, service, member } = fixture.now;
    await create("Tools");
    const refs = "marketplace.git/info/refs?service=git-upload-pack";
    const replica = await startService(database);
    try {
      const header = { authorization: `Bearer ${member.credential}` };
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          (n % 2 === 0 ? service : replica).http(`/plugins/${refs}`, { headers: header }),
        ),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    } finally {
      await replica.close();
    }
  });

  /** https://json.schemastore.org/claude-code-marketplace.json and the references of Cursor and Codex, restated. */
  it("are described by valid manifests without secrets", async () => {
    const { service, git, member } = fixture.now;
    const hooks = { Stop: [{ hooks: [{ type: "command", command: "echo done" }] }] };
    await write("PATCH", "/api/settings", { allow_plugin_hooks: true });
    const agents = [{ name: "reviewer", description: "Reviews", content: "Review" }];
    await create("Tools", { keywords: ["notes"], category: "Work", description: "For the team", agents, hooks });
    await git.run("clone", "--quiet", urlOf("marketplace"), "clone");
    const files = await git.filesOf("clone");
    const json = (path: string) => JSON.parse(files.get(path)?.toString() ?? "null");
    const served = (await get("marketplace.json")).body;
    for (const [market, source] of [
      [json(".claude-plugin/marketplace.json"), "./plugins/tools"],
      [served, { source: "url", url: served.plugins[0].source.url, sha: served.plugins[0].source.sha }],
    ] as const) {
      assert.match(market.name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.equal(typeof market.owner.name, "string");
      assert.equal(market.forceRemoveDeletedPlugins, true);
      const [{ name, version, description, category, keywords, ...rest }] = market.plugins;
      assert.deepEqual(
        [name, version, description, category, keywords],
        ["tools", "1.0.0", "For the team", "Work", ["notes"]],
      );
      assert.deepEqual(rest, { source, author: { name: market.owner.name } });
    }
    assert.match(served.plugins[0].source.url, /\/plugins\/tools\.git$/);
    assert.match(served.plugins[0].source.sha, /^[0-9a-f]{40}$/);
    const cursor = json(".cursor-plugin/marketplace.json");
    assert.deepEqual(cursor.plugins, [{ name: "tools", source: "tools", description: "For the team" }]);
    assert.equal(cursor.metadata.pluginRoot, "plugins");
    assert.deepEqual(json(".agents/plugins/marketplace.json").plugins, [
      {
        ...{ name: "tools", source: { source: "local", path: "./plugins/tools" }, category: "Work" },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
      },
    ]);
    for (const client of ["claude", "cursor", "codex"]) {
      const manifest = json(`plugins/tools/.${client}-plugin/plugin.json`);
      assert.deepEqual([manifest.name, manifest.version], ["tools", "1.0.0"]);
      for (const path of [manifest.mcpServers, manifest.commands, manifest.skills].filter((each) => each !== undefined))
        assert.ok(
          [...files.keys()].some((file) => file.startsWith(join("plugins/tools", path))),
          `${client}: ${path} exists`,
        );
    }
    assert.deepEqual(json("plugins/tools/hooks/hooks.json"), { hooks });
    const [key = "", secret = ""] = member.credential.split(":");
    for (const [path, content] of files)
      for (const text of [key, secret, service.token]) assert.equal(content.includes(text), false, path);
  });

  it("have the releases of the caller's plugins after any changes, and every pull is a fast-forward", async () => {
    const { git } = fixture.now;
    const slugs = ["one", "two"] as const;
    const change = fc.record({
      slug: fc.constantFrom(...slugs),
      what: fc.constantFrom("publish", "unpublish", "add", "remove"),
      pulls: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 8 }), async (changes) => {
        const state = new Map<string, { isActive: boolean; isShared: boolean; edits: number }>();
        for (const slug of slugs) {
          await create(slug, { slug, groups: [] });
          state.set(slug, { isActive: true, isShared: false, edits: 0 });
        }
        await git.run("clone", "--quiet", urlOf("marketplace"), "clone");
        const apply = async ({ slug, what }: { slug: string; what: string }) => {
          const now = state.get(slug) ?? assert.fail();
          if (what === "add") await write("POST", "/api/groups/g/plugins", { slugs: [slug] });
          else if (what === "remove" && now.isShared) await write("DELETE", `/api/groups/g/plugins?slug=${slug}`);
          else if (what === "unpublish") await write("POST", `/api/plugins/${slug}/unpublish`);
          else if (what === "publish") {
            await write("PATCH", `/api/plugins?slug=${slug}`, { description: `Edit ${++now.edits}` });
            await publish(slug);
          }
          if (what === "add" || what === "remove") now.isShared = what === "add";
          else now.isActive = what === "publish";
        };
        for (const each of [...changes, { slug: "one", what: "add", pulls: true }]) {
          await apply(each);
          if (!each.pulls) continue;
          await git.run("-C", "clone", "pull", "--quiet", "--ff-only");
          const pulled = await git.filesOf("clone");
          const expected = new Map<string, Buffer>();
          for (const slug of slugs) {
            if (!state.get(slug)?.isActive || !state.get(slug)?.isShared) continue;
            for (const [path, content] of await releaseFiles(slug)) expected.set(`plugins/${slug}/${path}`, content);
          }
          const plugins = [...pulled].filter(([path]) => path.startsWith("plugins/"));
          assert.deepEqual(sorted(new Map(plugins)), sorted(expected));
        }
        await git.run("-C", "clone", "fsck", "--strict", "--full");
        await git.clear();
        for (const slug of slugs) await write("DELETE", `/api/plugins?slug=${slug}`);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});
