import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Refusal } from "#lib/errors";
import { BUILT_IN_GUARDS } from "./builtins.ts";
import { validateGuard } from "./validate-guard.ts";

const VALID = {
  name: "Cards",
  type: "runtime",
  action: "block",
  checks: [{ type: "pii", name: "Card", config: { entities: ["credit_card"] } }],
};

function messageFor(fields: object): string {
  try {
    validateGuard({ ...VALID, ...fields }, "cards");
  } catch (error) {
    assert.ok(error instanceof Refusal);
    assert.equal(error.kind, "invalid");
    return error.message;
  }
  return "valid";
}

function messageForCheck(type: string, config: unknown, fields: object = {}): string {
  return messageFor({ checks: [{ type, name: "One", config, ...fields }] });
}

describe("validateGuard", () => {
  it("completes a guard with the defaults", () => {
    assert.deepEqual(validateGuard(VALID, "cards"), {
      ...{
        slug: "cards",
        name: "Cards",
        description: "",
        type: "runtime",
        enabled: false,
        action: "block",
        threshold: 7,
      },
      ...{ direction: "both", entity_types: [], priority: 100, on_error: "block", message: "" },
      scope: { groups: [], servers: [], tools: [], users: [], exclude_servers: [] },
      checks: [{ id: "pii-card", type: "pii", name: "Card", certainty: 8, config: { entities: ["credit_card"] } }],
    });
    assert.equal(validateGuard({ ...VALID, action: "warn" }, "x").on_error, "allow");
    assert.equal(validateGuard({ ...VALID, action: "require_approval", direction: "both" }, "x").direction, "request");
    assert.equal(validateGuard({ ...VALID, type: "buildtime" }, "x").entity_types.length, 7);
  });

  for (const [fields, message] of [
    [{ name: " " }, "name: name is required"],
    [{ type: "other" }, "type: must be one of runtime, buildtime"],
    [{ action: undefined }, "action: action is required"],
    [{ type: "buildtime", action: "redact" }, "action: redact is not allowed for buildtime guards"],
    [
      { slug: "-a" },
      "slug: must contain only lowercase letters, numbers and hyphens, and must not start or end with a hyphen",
    ],
    [{ threshold: 11 }, "threshold: must be an integer between 1 and 10"],
    [{ scope: { server: ["x"] } }, "scope.server: is not known; use groups, servers, tools, users, exclude_servers"],
    [{ checks: [] }, "checks: must be a list of 1 to 50 items"],
    [{ checks: [VALID.checks[0], VALID.checks[0]] }, "checks.1.id: another check of the guard has the id pii-card"],
    [
      { type: "buildtime", entity_types: ["tool", "x"] },
      "entity_types.1: must be one of mcp_server, tool, toolkit, skill, command, plugin, background_agent",
    ],
  ] as const) {
    it(`reports ${message}`, () => assert.equal(messageFor(fields), message));
  }
});

describe("the configuration of a check", () => {
  for (const [type, config, message] of [
    [
      "regex",
      { pattern: "a(?=b)" },
      "checks.0.config.pattern: must be a valid regular expression: invalid or unsupported Perl syntax: `(?=` at position 1",
    ],
    ["regex", { pattern: "(a" }, "checks.0.config.pattern: must be a valid regular expression: missing closing )"],
    [
      "regex",
      { pattern: "x[z-a]" },
      "checks.0.config.pattern: must be a valid regular expression: invalid character class range: `z-a` at position 2",
    ],
    [
      "regex",
      { pattern: "a\\1" },
      "checks.0.config.pattern: must be a valid regular expression: invalid escape sequence: `\\1` at position 1",
    ],
    ["regex", { patern: "a" }, "checks.0.config.patern: is not known; use pattern, flags, replacement, validator"],
    ["regex", {}, "checks.0.config.pattern: pattern is required"],
    ["regex", { pattern: "a", flags: "g" }, "checks.0.config.flags: must be a combination of i, m, s"],
    [
      "regex",
      { pattern: "a", validator: "crc" },
      "checks.0.config.validator: must be one of luhn, iban, us_ssn, entropy:<bits per character>",
    ],
    ["keyword", { words: [] }, "checks.0.config.words: must be a list of 1 to 1000 items"],
    ["keyword", { words: ["a", ""] }, "checks.0.config.words.1: must be a text that is not empty"],
    ["secret", { providers: ["aws", "acme"] }, /^checks\.0\.config\.providers\.1: must be one of aws, github, /],
    ["prompt_injection", { level: 1 }, "checks.0.config.level: is not known; use no fields"],
    [
      "json_schema",
      { target: "arguments", schema: { pattern: "(?=a)" } },
      /^checks\.0\.config\.schema: pattern must be a valid regular expression: /,
    ],
    [
      "json_schema",
      { target: "result", schema: {} },
      "checks.0.config.target: must be one of arguments, structuredContent",
    ],
    ["size", { max_bytes: 0 }, "checks.0.config.max_bytes: must be an integer between 1 and 67108864"],
    ["url", {}, "checks.0.config.allow: allow or deny must list at least one host"],
    ["url", { deny: ["https://x"] }, "checks.0.config.deny.0: must be a host such as example.com or *.example.com"],
    ["webhook", { url: "javascript:1" }, "checks.0.config.url: must be a valid http or https URL"],
    [
      "webhook",
      { url: "https://x.test", headers: { Host: "y" } },
      "checks.0.config.headers.Host: is not an allowed header",
    ],
    [
      "webhook",
      { url: "https://x.test", timeout_ms: 6000 },
      "checks.0.config.timeout_ms: must be an integer between 100 and 5000",
    ],
    ["llm", { provider: "openai", model: "b" }, "checks.0.config.prompt: prompt is required"],
    [
      "llm",
      { provider: "main", model: "b", prompt: "c" },
      "checks.0.config.provider: must be one of openai, openai-compatible, anthropic, google",
    ],
    [
      "llm",
      { provider: "openai-compatible", model: "b", prompt: "c" },
      "checks.0.config.base_url: base_url is required",
    ],
    [
      "llm",
      { provider: "openai", model: "b", prompt: "c", base_url: "file:///etc" },
      "checks.0.config.base_url: must be a valid http or https URL",
    ],
    [
      "llm",
      { provider: "openai", model: "b", prompt: "c", api_key: "a\nb" },
      "checks.0.config.api_key: must not contain spaces or control characters",
    ],
    ["pii", "email", "checks.0.config: must be an object"],
  ] as const) {
    it(`of type ${type} is rejected with ${message}`, () => {
      const actual = messageForCheck(type, config);
      if (typeof message === "string") assert.equal(actual, message);
      else assert.match(actual, message);
    });
  }

  it("can use everything that is documented", () => {
    for (const [type, config] of [
      ["regex", { pattern: "(?i)a\\d+", flags: "ims", replacement: "", validator: "entropy:3.5" }],
      ["keyword", { words: ["a"], whole_word: false, case_sensitive: true }],
      ["secret", { providers: ["aws", "generic"] }],
      ["url", { allow: ["*.example.com", "localhost"], deny: ["*"] }],
      [
        "webhook",
        { url: "https://x.test/check", headers: { Authorization: "Bearer x" }, timeout_ms: 5000, send: "full" },
      ],
      ["llm", { provider: "openai", model: "m", prompt: "Is this safe?" }],
      [
        "llm",
        { provider: "openai-compatible", model: "m", base_url: "https://x.test/v1", api_key: "k", prompt: "Safe?" },
      ],
      ["json_schema", { target: "structuredContent", schema: { $defs: { a: { type: "string" } }, $ref: "#/$defs/a" } }],
    ] as const) {
      assert.equal(messageForCheck(type, config), "valid");
    }
  });
});

describe("the built-in guards", () => {
  it("are valid, disabled, described, and the ones of the contract", () => {
    assert.equal(new Set(BUILT_IN_GUARDS.map(({ slug }) => slug)).size, 17);
    assert.equal(BUILT_IN_GUARDS.filter(({ type }) => type === "runtime").length, 12);
    for (const guard of BUILT_IN_GUARDS) {
      assert.deepEqual(validateGuard(guard, "x"), guard);
      assert.equal(guard.enabled, false);
      assert.ok(guard.description.length > 40 && guard.description.endsWith("."));
      assert.ok(guard.message !== "");
    }
  });
});
