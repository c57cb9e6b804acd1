import { invalid } from "#lib/errors";
import { isObject } from "#lib/is-object";
import { MODEL_PROVIDERS } from "#lib/model-providers";
import { slugFromName } from "#lib/slug";
import { isWebUrl } from "#lib/web-url";
import { SECRET_PROVIDERS } from "#policy/secrets/formats";
import { compileSchema } from "./checks/json-schema.ts";
import { MAX_WORD_LENGTH, MAX_WORDS } from "./checks/keyword.ts";
import { compilePattern, MAX_PATTERN_BYTES } from "./checks/regex.ts";
import { CHECK_TYPES, type CheckDefinition, type CheckType } from "./definition.ts";
import { PII_ENTITIES } from "./pii/recognizers.ts";
import { FieldReader } from "./read-fields.ts";
import { VALIDATOR_NAMES, validatorOf } from "./validators.ts";

const MAX_NAME = 100;
const DEFAULT_CERTAINTY = 8;
const MAX_WEBHOOK_MS = 5_000;
const MAX_JUDGE_MS = 30_000;

/** Validates `checks.N` and completes it. Throws a Refusal whose message starts with the path of the field. */
export function validateCheck(value: unknown, index: number): CheckDefinition {
  const path = `checks.${index}`;
  const fields = new FieldReader(path, value);
  const type = fields.choice("type", CHECK_TYPES);
  const name = fields.name("name", MAX_NAME);
  const id = fields.text("id", MAX_NAME, `${type}-${slugFromName(name, String(index))}`);
  if (!/^[a-z0-9]+(?:[-_][a-z0-9]+){0,40}$/.test(id)) {
    throw invalid(`${path}.id`, "must contain only lowercase letters, numbers, hyphens and underscores");
  }
  const certainty = fields.integer("certainty", 1, 10, DEFAULT_CERTAINTY);
  const config = validateConfig(type, `${path}.config`, fields.value("config") ?? {});
  // The configuration was read by the validator of this type.
  return { id, type, name, certainty, config } as CheckDefinition;
}

type ConfigReader = (config: FieldReader) => unknown;

/** Validates the configuration of one type of check. Unknown members are rejected. */
export function validateConfig(type: CheckType, path: string, value: unknown): unknown {
  const config = new FieldReader(path, value);
  config.refuseUnknown(CONFIG_FIELDS[type]);
  return CONFIG_READERS[type](config);
}

export const CONFIG_FIELDS: Readonly<Record<CheckType, readonly string[]>> = {
  regex: ["pattern", "flags", "replacement", "validator"],
  keyword: ["words", "whole_word", "case_sensitive"],
  pii: ["entities"],
  secret: ["providers"],
  prompt_injection: [],
  tool_poisoning: [],
  json_schema: ["target", "schema"],
  size: ["max_bytes"],
  url: ["allow", "deny"],
  webhook: ["url", "headers", "timeout_ms", "send"],
  llm: ["provider", "model", "base_url", "api_key", "prompt", "timeout_ms"],
};

const CONFIG_READERS: Readonly<Record<CheckType, ConfigReader>> = {
  regex: readRegex,
  keyword: (config) => ({
    words: config.texts("words", { minimum: 1, maximum: MAX_WORDS, maxLength: MAX_WORD_LENGTH }),
    whole_word: config.flag("whole_word", true),
    case_sensitive: config.flag("case_sensitive", false),
  }),
  pii: (config) => ({ entities: readNames(config, "entities", PII_ENTITIES) }),
  secret: (config) => (config.has("providers") ? { providers: readNames(config, "providers", SECRET_PROVIDERS) } : {}),
  prompt_injection: () => ({}),
  tool_poisoning: () => ({}),
  json_schema: readJsonSchema,
  size: (config) => ({ max_bytes: config.integer("max_bytes", 1, 64 * 1024 * 1024) }),
  url: readUrl,
  webhook: readWebhook,
  llm: readJudge,
};

function readRegex(config: FieldReader): unknown {
  const pattern = config.text("pattern", MAX_PATTERN_BYTES);
  if (pattern === "") throw invalid(config.at("pattern"), "pattern is required");
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) throw invalid(config.at("pattern"), "must be at most 2 KiB");
  const flags = config.text("flags", 3, "");
  if (!/^[ims]*$/.test(flags) || new Set(flags).size !== flags.length) {
    throw invalid(config.at("flags"), "must be a combination of i, m, s");
  }
  const compiled = compilePattern(pattern, flags);
  if (typeof compiled === "string") {
    throw invalid(config.at("pattern"), `must be a valid regular expression: ${compiled}`);
  }
  const validator = config.text("validator", 20, "");
  if (validator !== "" && validatorOf(validator) === undefined) {
    throw invalid(config.at("validator"), `must be one of ${VALIDATOR_NAMES}`);
  }
  return {
    pattern,
    ...(flags === "" ? {} : { flags }),
    ...(config.has("replacement") ? { replacement: config.text("replacement", 200) } : {}),
    ...(validator === "" ? {} : { validator }),
  };
}

function readNames(config: FieldReader, field: string, known: readonly string[]): string[] {
  const names = config.texts(field, { minimum: 1, maximum: known.length, maxLength: 100 });
  for (const [index, name] of names.entries()) {
    if (!known.includes(name)) throw invalid(config.at(`${field}.${index}`), `must be one of ${known.join(", ")}`);
  }
  return [...new Set(names)];
}

function readJsonSchema(config: FieldReader): unknown {
  const target = config.choice("target", ["arguments", "structuredContent"] as const);
  const schema = config.value("schema");
  if (!isObject(schema) && typeof schema !== "boolean") throw invalid(config.at("schema"), "must be a JSON Schema");
  const compiled = compileSchema(schema);
  if (typeof compiled === "string") throw invalid(config.at("schema"), compiled);
  return { target, schema };
}

const HOST_GLOB = /^(?:\*|(?:\*\.)?[a-z0-9*?](?:[a-z0-9*?.:-]{0,251}[a-z0-9*?])?)$/i;

function readUrl(config: FieldReader): unknown {
  const lists = ["allow", "deny"].map((field) => {
    const globs = config.texts(field, { maximum: 500, maxLength: 253 });
    const bad = globs.findIndex((glob) => !HOST_GLOB.test(glob));
    if (bad >= 0) throw invalid(config.at(`${field}.${bad}`), "must be a host such as example.com or *.example.com");
    return globs;
  });
  const [allow = [], deny = []] = lists;
  if (allow.length + deny.length === 0) throw invalid(config.at("allow"), "allow or deny must list at least one host");
  return { allow, deny };
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const REFUSED_HEADER = /^(?:host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|proxy-.*)$/i;

function readJudge(config: FieldReader): unknown {
  const provider = config.choice("provider", MODEL_PROVIDERS);
  const url = config.text("base_url", 2_000, "");
  if (url === "" && provider === "openai-compatible") throw invalid(config.at("base_url"), "base_url is required");
  if (url !== "" && !isWebUrl(url)) throw invalid(config.at("base_url"), "must be a valid http or https URL");
  const key = config.text("api_key", 4_000, "");
  if (/[^\x21-\x7e]/.test(key)) throw invalid(config.at("api_key"), "must not contain spaces or control characters");
  return {
    ...{ provider, model: config.name("model", 200) },
    ...(url !== "" && { base_url: url }),
    ...(key !== "" && { api_key: key }),
    prompt: config.name("prompt", 8_000),
    timeout_ms: config.integer("timeout_ms", 100, MAX_JUDGE_MS, 10_000),
  };
}

function readWebhook(config: FieldReader): unknown {
  const url = config.name("url", 2_000);
  if (!isWebUrl(url)) throw invalid(config.at("url"), "must be a valid http or https URL");
  const given = config.value("headers") ?? {};
  if (!isObject(given) || Object.keys(given).length > 20)
    throw invalid(config.at("headers"), "must be an object with at most 20 headers");
  for (const [name, value] of Object.entries(given)) {
    const path = config.at(`headers.${name}`);
    if (!HEADER_NAME.test(name) || REFUSED_HEADER.test(name)) throw invalid(path, "is not an allowed header");
    if (typeof value !== "string" || /[^\t\x20-\x7e]/.test(value) || value.length > 4_000) {
      throw invalid(path, "must be a header value");
    }
  }
  return {
    ...{ url, headers: given },
    timeout_ms: config.integer("timeout_ms", 100, MAX_WEBHOOK_MS, 2_000),
    send: config.choice("send", ["text", "full"] as const, "text"),
  };
}
