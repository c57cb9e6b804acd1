import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PluginManifest } from "#storage/plugin-tables";
import { Repository } from "../git/repository.ts";
import { snapshotOf } from "./plugin-repositories.ts";

const MANIFEST: PluginManifest = {
  ...{ name: "Tools", description: "", author: { name: "Acme" }, category: null, keywords: [], homepage: null },
  ...{ license: null, toolkit: null, targets: ["claude"] },
};

describe("the commits of a plugin", () => {
  /** Clients have these commits. With other ids, none of them could pull the next release. */
  it("keep their ids in later versions of Gatehouse", () => {
    const release = (number: number, version: string, notes: string) => ({
      ...{ plugin_id: "plg_1", number, version, notes, digest: "", size: 2, files_count: 1, published_by: "ann" },
      ...{ manifest: MANIFEST, published_at: Date.UTC(2026, 0, number) },
      files: [
        {
          ...{ plugin_id: "plg_1", number, path: "skills/a/SKILL.md", digest: "d", size: 2, executable: number === 2 },
          blob_id: "78981922613b2afb6025042ff6bd878ac1994e85",
        },
      ],
    });
    const rows = [release(1, "1.0.0", ""), release(2, "1.1.0", "Better")];
    const { commits } = new Repository(rows.map((row) => snapshotOf("tools", row)));
    assert.deepEqual(
      [...commits.keys()],
      ["d88ac1042a485c677bdfb406546d81b3d91d3146", "6dd321f42cca7fca435a0723fe3477d8f62a67a3"],
    );
  });
});
