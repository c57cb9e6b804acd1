import { MODEL_PROVIDERS } from "#lib/model-providers";
import { SECRET_PROVIDERS } from "#policy/secrets/formats";
import type { CheckType } from "./definition.ts";
import { PII_ENTITIES } from "./pii/recognizers.ts";
import { CONFIG_FIELDS } from "./validate-check.ts";

export interface ConfigField {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "list" | "object";
  readonly required: boolean;
  readonly default?: unknown;
  /** Whether it is stored sealed and never returned. */
  readonly secret?: boolean;
  /** Whether it has several lines. */
  readonly multiline?: boolean;
  /** The only values, or the only items of a list. */
  readonly choices?: readonly string[];
  readonly description: string;
}

/** Describes a type of check, for editors and the API. */
export interface CheckTypeInfo {
  readonly type: CheckType;
  readonly name: string;
  readonly description: string;
  /** Whether each finding has a separate certainty, instead of that of the check. */
  readonly graded: boolean;
  /** Whether findings have a place in the text, so that it can be redacted. */
  readonly redacts: boolean;
  readonly config: readonly ConfigField[];
}

type FieldInfo = Omit<ConfigField, "name" | "required"> & { readonly required?: boolean };
type Info = Omit<CheckTypeInfo, "type" | "config"> & { readonly fields: Readonly<Record<string, FieldInfo>> };

const INFOS: Readonly<Record<CheckType, Info>> = {
  regex: {
    ...{ name: "Regular expression", graded: false, redacts: true },
    description: "Finds matches of a pattern in RE2 syntax, which takes linear time for any text.",
    fields: {
      pattern: {
        type: "string",
        required: true,
        description: "RE2 syntax, at most 2 KiB. Look-around and back-references are not supported.",
      },
      flags: {
        type: "string",
        default: "",
        description: "A combination of i (ignore case), m (lines) and s (dot matches line ends).",
      },
      replacement: { type: "string", description: "What a redaction puts in place of a match." },
      validator: {
        type: "string",
        description:
          "Keeps only matches with a valid check digit or enough entropy: luhn, iban, us_ssn, or entropy:3.5.",
      },
    },
  },
  keyword: {
    ...{ name: "Keywords", graded: false, redacts: true },
    description: "Finds words and phrases, also if they are disguised with similar or invisible characters.",
    fields: {
      words: { type: "list", required: true, description: "1 to 1,000 words or phrases." },
      whole_word: { type: "boolean", default: true, description: "Ignores words that are part of a longer word." },
      case_sensitive: { type: "boolean", default: false, description: "Distinguishes upper and lower case." },
    },
  },
  pii: {
    ...{ name: "Personal data", graded: true, redacts: true },
    description: "Finds personal data by format, check digits and words nearby.",
    fields: { entities: { type: "list", required: true, choices: PII_ENTITIES, description: "What to find." } },
  },
  secret: {
    ...{ name: "Secrets", graded: true, redacts: true },
    description: "Finds API keys, tokens, private keys and passwords.",
    fields: { providers: { type: "list", choices: SECRET_PROVIDERS, description: "Only these kinds. Default: all." } },
  },
  prompt_injection: {
    ...{ name: "Prompt injection", graded: true, redacts: true },
    description:
      "Finds instructions to the model in text that should be data. It catches known phrases, not every attack.",
    fields: {},
  },
  tool_poisoning: {
    ...{ name: "Tool poisoning", graded: true, redacts: true },
    description:
      "Examines definitions of tools: instructions to the model, orders about tools of other servers, and changes.",
    fields: {},
  },
  json_schema: {
    ...{ name: "JSON Schema", graded: false, redacts: false },
    description: "Fires if the arguments or the structured content do not match a schema.",
    fields: {
      target: {
        type: "string",
        required: true,
        choices: ["arguments", "structuredContent"],
        description: "What must match.",
      },
      schema: {
        type: "object",
        required: true,
        description:
          "JSON Schema 2020-12. patternProperties and remote references are not supported; format is ignored.",
      },
    },
  },
  size: {
    ...{ name: "Size", graded: false, redacts: false },
    description: "Fires if the payload is larger than a limit, including images and other binary content.",
    fields: { max_bytes: { type: "integer", required: true, description: "1 to 67,108,864 bytes." } },
  },
  url: {
    ...{ name: "URLs", graded: false, redacts: true },
    description: "Finds URLs to hosts that are denied or, with a list of allowed hosts, not allowed.",
    fields: {
      allow: {
        type: "list",
        default: [],
        description: "Hosts such as example.com or *.example.com. Others are found.",
      },
      deny: { type: "list", default: [], description: "Hosts that are found even if they are allowed." },
    },
  },
  webhook: {
    ...{ name: "Webhook", graded: true, redacts: true },
    description: "Sends the text to a service of yours, which answers with a score from 0 to 10.",
    fields: {
      url: { type: "string", required: true, description: "Receives a POST request with JSON." },
      headers: {
        type: "object",
        default: {},
        secret: true,
        description: "Sent with the request. Values are never shown again.",
      },
      timeout_ms: { type: "integer", default: 2_000, description: "100 to 5,000." },
      send: {
        type: "string",
        default: "text",
        choices: ["text", "full"],
        description: "full adds the arguments or the result as JSON.",
      },
    },
  },
  llm: {
    ...{ name: "Model as judge", graded: true, redacts: false },
    description: "Sends the text to a model, which answers with a score from 0 to 10. Every call waits for it.",
    fields: {
      provider: { type: "string", required: true, choices: MODEL_PROVIDERS, description: "Who runs the model." },
      model: { type: "string", required: true, description: "The model's name at the provider." },
      base_url: { type: "string", description: "Required for openai-compatible. Default: the provider's own." },
      api_key: { type: "string", secret: true, description: "The provider's key. Never shown again." },
      prompt: {
        type: "string",
        required: true,
        multiline: true,
        description: "What the score means, for example: How likely does the text ask for a payment?",
      },
      timeout_ms: { type: "integer", default: 10_000, description: "100 to 30,000." },
    },
  },
};

export const CHECK_TYPE_INFOS: readonly CheckTypeInfo[] = Object.entries(INFOS).map(([type, { fields, ...info }]) => {
  // The keys of the table are the types of checks.
  const known = type as CheckType;
  const config = CONFIG_FIELDS[known].map((name) => {
    const field = fields[name];
    if (field === undefined) throw new TypeError(`no description of ${type}.${name}`);
    return { name, ...field, required: field.required ?? false };
  });
  return { type: known, ...info, config };
});
