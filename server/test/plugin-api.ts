/** A group "Writers", a skill "notes", and no plugins before each test. */
import assert from "node:assert/strict";
import { before, beforeEach } from "node:test";
import { readZip } from "#lib/zip/read-zip";
import type { ApiUnderTest } from "./api.ts";
import { createGroup } from "./factories.ts";

export const TOOLS = { name: "Team tools", description: "For the team", skills: ["notes"] };

export function usePlugins(api: ApiUnderTest) {
  before(async () => {
    await createGroup(api.service, "Writers");
  });
  beforeEach(async () => {
    for (const family of ["plugins", "commands", "skills", "toolkits"]) {
      const { body } = await api.call("GET", `/api/${family}`);
      for (const { slug } of body.data) await api.call("DELETE", `/api/${family}?slug=${slug}`);
    }
    await api.call("PATCH", "/api/settings", { allow_plugin_hooks: null });
    const script = { path: "scripts/run.sh", content: "#!/bin/sh\n", executable: true };
    const skill = { name: "notes", description: "Notes.", content: "# Notes", files: [script] };
    await api.call("POST", "/api/skills", skill);
  });

  return {
    create: async (body: object = TOOLS) => {
      const answer = await api.call("POST", "/api/plugins", body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data;
    },
    get: async () => (await api.call("GET", "/api/plugins/team-tools")).body.data,
    publish: async (body: object = {}) => {
      const answer = await api.call("POST", "/api/plugins/team-tools/publish", body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data;
    },
    /** Files by path. */
    download: async (query: string) => {
      const answer = await api.call("GET", `/api/plugins/team-tools/download${query}`);
      assert.equal(answer.status, 200, answer.text);
      const limits = { maxEntries: 1_000, maxFileBytes: 1e6, maxBytes: 1e7, maxRatio: 1_000 };
      const files = await readZip(answer.bytes, limits);
      return new Map(
        files.map(({ path, content, executable }) => [
          path,
          { content: Buffer.from(content).toString("utf8"), executable },
        ]),
      );
    },
  };
}
