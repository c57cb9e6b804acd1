import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Decision } from "#policy/policy-types";
import { configuration } from "../../test/configurations.ts";
import { emptyHome, write } from "../../test/fake-home.ts";
import { Place } from "../discover/place.ts";
import { type FoundServer, scanServers } from "../discover/servers.ts";
import { StateFolder } from "../state.ts";
import { CannotEdit } from "./edit-config.ts";
import { Quarantine, type QuarantinedServer } from "./quarantine.ts";
import { restoreServers } from "./restore-servers.ts";
import { quarantineServers } from "./servers.ts";

const decision: Decision = {
  action: "block",
  rule_id: "r",
  rule_name: "r",
  reason: "r",
  message: null,
  policy_version: 1,
};
const NOW = "2026-11-01T00:00:00Z";

function scanHome(home: string): FoundServer[] {
  return scanServers(new Place({ platform: "linux", home, username: "a", systemRoot: undefined, maxDepth: 3 }), []);
}

function servers(quarantine: Quarantine): QuarantinedServer[] {
  return quarantine.list().filter((item): item is QuarantinedServer => item.kind === "mcp_server");
}

describe("quarantine of servers", () => {
  it("restores the same bytes, whatever was removed and restored in which order", () => {
    const { root, home, state } = emptyHome();
    const path = join(home, ".cursor/mcp.json");
    fc.assert(
      fc.property(configuration, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), ({ text }, steps) => {
        rmSync(state, { recursive: true, force: true });
        write(path, text);
        const quarantine = new Quarantine(new StateFolder(state));
        const original = readFileSync(path);
        // Each step removes one of the entries that are there, or restores one that is not.
        for (const step of steps) {
          const found = scanHome(home);
          const stored = servers(quarantine);
          const chosen = found[step % Math.max(1, found.length)];
          const restored = stored[step % Math.max(1, stored.length)];
          if (restored && step % 3 === 0) restoreServers(quarantine, [restored]);
          else if (chosen) quarantineServers(quarantine, [{ found: chosen, decision }], NOW);
        }
        restoreServers(quarantine, servers(quarantine));
        assert.deepEqual(readFileSync(path), original);
        assert.deepEqual(quarantine.list(), []);
        assert.equal(quarantine.editedFile(path), undefined);
      }),
      { numRuns: 100 },
    );
    rmSync(root, { recursive: true });
  });

  it("leaves a file unchanged that changed since the scan", () => {
    const { root, home, state } = emptyHome();
    const path = write(join(home, ".cursor/mcp.json"), '{"mcpServers":{"evil":{"command":"x"}}}');
    const [found] = scanHome(home);
    assert.ok(found);
    const changed = '{"mcpServers":{"evil":{"command":"x"},"new":{"command":"y"}}}';
    writeFileSync(path, changed);
    const quarantine = new Quarantine(new StateFolder(state));
    assert.throws(() => quarantineServers(quarantine, [{ found, decision }], NOW), CannotEdit);
    assert.equal(readFileSync(path, "utf8"), changed);
    assert.deepEqual(quarantine.list(), []);
    rmSync(root, { recursive: true });
  });

  it("refuses text that is not UTF-8, because it could not be written back", () => {
    const { root, home, state } = emptyHome();
    const path = write(join(home, ".cursor/mcp.json"), "");
    writeFileSync(path, Buffer.from('{"mcpServers":{"evil":{"command":"x"}}, "n":"\xff"}', "latin1"));
    const [found] = scanHome(home);
    assert.ok(found);
    assert.throws(
      () => quarantineServers(new Quarantine(new StateFolder(state)), [{ found, decision }], NOW),
      /not valid UTF-8/,
    );
    rmSync(root, { recursive: true });
  });
});
