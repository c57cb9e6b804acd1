import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readConfig } from "./config.ts";

const BASE = { AGENT_PROVIDER: "anthropic", AGENT_MODEL: "m" };

describe("settings of the default provider of agents", () => {
  it("are off without a provider, and need no URL and no key", () => {
    assert.equal(readConfig({}).defaultProvider, undefined);
    assert.deepEqual(readConfig(BASE).defaultProvider, {
      ...{ type: "anthropic", model: "m", baseUrl: undefined, apiKey: undefined },
    });
  });

  it("read the key from the environment or from a file", () => {
    assert.equal(readConfig({ ...BASE, AGENT_API_KEY: "k" }).defaultProvider?.apiKey, "k");
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-agent-key-"));
    writeFileSync(join(folder, "key"), "from a file\n");
    assert.equal(
      readConfig({ ...BASE, AGENT_API_KEY_FILE: join(folder, "key") }).defaultProvider?.apiKey,
      "from a file",
    );
    rmSync(folder, { recursive: true });
  });

  for (const [environment, message] of [
    [{ AGENT_MODEL: "m" }, "AGENT_MODEL requires AGENT_PROVIDER"],
    [{ AGENT_API_KEY: "secret" }, "AGENT_API_KEY requires AGENT_PROVIDER"],
    [{ AGENT_PROVIDER: "anthropic" }, "AGENT_PROVIDER requires AGENT_MODEL, the model's name at the provider"],
    [
      { ...BASE, AGENT_PROVIDER: "scripted" },
      'AGENT_PROVIDER must be one of openai, openai-compatible, anthropic, google, not "scripted"',
    ],
    [{ ...BASE, AGENT_PROVIDER: "openai-compatible" }, "AGENT_PROVIDER=openai-compatible requires AGENT_BASE_URL"],
    [
      { ...BASE, AGENT_BASE_URL: "https://user:secret@models.example.com" },
      "AGENT_BASE_URL must be an http or https URL without a user name or password",
    ],
  ] as const) {
    it(`reject ${Object.keys(environment).join(", ")}: ${message}`, () => {
      assert.throws(() => readConfig(environment), { message });
    });
  }
});
