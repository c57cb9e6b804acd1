import {
  ANY_SCOPE,
  type CheckDefinition,
  defaultOnError,
  ENTITY_TYPES,
  type GuardAction,
  type GuardDefinition,
  type GuardDirection,
} from "./definition.ts";
import { validateCheck } from "./validate-check.ts";

interface Seed {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly action: GuardAction;
  readonly message: string;
  readonly checks: readonly object[];
  readonly direction?: GuardDirection;
  readonly threshold?: number;
}

function pii(name: string, ...entities: string[]): object {
  return { type: "pii", name, config: { entities } };
}

const RUNTIME: readonly Seed[] = [
  {
    slug: "email-addresses",
    name: "Email addresses",
    description:
      "Finds email addresses in arguments and results. Use it to keep contact data of customers out of prompts.",
    action: "redact",
    message: "the content contains an email address",
    checks: [pii("Email", "email")],
  },
  {
    slug: "phone-numbers",
    name: "Phone numbers",
    description:
      "Finds phone numbers in international and North American form, and national numbers next to words such as “phone” or “mobile”.",
    action: "redact",
    message: "the content contains a phone number",
    checks: [pii("Phone", "phone")],
  },
  {
    slug: "payment-cards",
    name: "Payment cards",
    description:
      "Finds card numbers by issuer, length and check digit. A number without separators counts only next to words such as “card”, because order numbers look the same.",
    action: "block",
    message: "the content contains a payment card number",
    checks: [pii("Payment card", "credit_card")],
  },
  {
    slug: "bank-accounts",
    name: "Bank accounts",
    description:
      "Finds IBANs of all countries that have them, by structure and check digits, and cryptocurrency addresses by checksum.",
    action: "redact",
    message: "the content contains bank account data",
    checks: [pii("IBAN", "iban"), pii("Cryptocurrency address", "crypto_address")],
  },
  {
    slug: "government-ids",
    name: "Government IDs",
    description:
      "Finds US social security numbers, UK national insurance numbers, and passport numbers. Numbers without a typical format count only next to words such as “SSN” or “passport”.",
    action: "block",
    message: "the content contains a government ID",
    checks: [
      pii("US social security number", "us_ssn"),
      pii("UK national insurance number", "uk_nino"),
      pii("Passport", "passport"),
    ],
  },
  {
    slug: "street-addresses",
    name: "Street addresses",
    description:
      "Finds street addresses in English, German, French, Spanish and Italian form, if a city, a postal code or a word such as “address” is near.",
    action: "redact",
    message: "the content contains a street address",
    checks: [pii("Street address", "street_address")],
  },
  {
    slug: "dates-of-birth",
    name: "Dates of birth",
    description: "Finds dates next to words such as “born” or “date of birth”. Other dates are ignored.",
    action: "redact",
    message: "the content contains a date of birth",
    checks: [pii("Date of birth", "date_of_birth")],
  },
  {
    slug: "network-addresses",
    name: "IP and MAC addresses",
    description:
      "Finds IPv4, IPv6 and hardware addresses. Addresses that every machine has, such as 127.0.0.1, are ignored.",
    action: "redact",
    message: "the content contains a network address",
    checks: [pii("IP address", "ip_address"), pii("MAC address", "mac_address")],
  },
  {
    slug: "secrets",
    name: "Secrets and API keys",
    description:
      "Finds API keys and tokens of about 60 providers by their prefix, JSON Web Tokens, passwords in connection strings and URLs, and random values assigned to names such as “password”.",
    action: "block",
    message: "the content contains a secret. Remove it and try again",
    checks: [{ type: "secret", name: "Secret", config: {} }],
  },
  {
    slug: "private-keys",
    name: "Private keys",
    description: "Finds private keys in PEM, OpenSSH, PGP and PuTTY format.",
    action: "block",
    message: "the content contains a private key",
    checks: [{ type: "secret", name: "Private key", config: { providers: ["private_key", "age"] } }],
  },
  {
    slug: "prompt-injection",
    name: "Prompt injection in results",
    description:
      "Finds instructions to the model in results of tools: orders to ignore instructions, to hide something from the user or to send data elsewhere, hidden characters, and the same in base64. It catches known phrases, not every attack.",
    action: "warn",
    direction: "response",
    message: "the result contains instructions to the model",
    checks: [{ type: "prompt_injection", name: "Prompt injection", config: {} }],
  },
  {
    slug: "oversized-responses",
    name: "Oversized responses",
    description: "Finds results above 1 MiB, which fill the context of a model and cost money.",
    action: "warn",
    direction: "response",
    message: "the result is larger than 1 MiB. Ask for less data",
    checks: [{ type: "size", name: "Size", config: { max_bytes: 1024 * 1024 } }],
  },
];

const BUILDTIME: readonly Seed[] = [
  {
    slug: "secrets-in-content",
    name: "Secrets in content",
    description:
      "Rejects toolkits, skills, commands, plugins and agents that contain API keys, tokens, passwords or private keys.",
    action: "block",
    message: "remove the secret, and revoke it if it was shared",
    checks: [{ type: "secret", name: "Secret", config: {} }],
  },
  {
    slug: "prompt-injection-in-content",
    name: "Prompt injection in content",
    description: "Reports instructions that try to override the rules of a model or to hide actions from the user.",
    action: "warn",
    message: "the content contains instructions that look like prompt injection",
    checks: [{ type: "prompt_injection", name: "Prompt injection", config: {} }],
  },
  {
    slug: "hidden-unicode",
    name: "Hidden Unicode",
    description:
      "Rejects content with invisible characters that models read and people do not see: tag characters, runs of zero-width characters, and text direction overrides.",
    action: "block",
    message: "remove the invisible characters",
    checks: [
      {
        type: "regex",
        name: "Hidden characters",
        certainty: 9,
        config: {
          pattern:
            "[\\x{E0001}\\x{E0020}-\\x{E007F}]{2,}|[\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}]{3,}|[\\x{200B}-\\x{200D}\\x{2060}-\\x{2064}\\x{FEFF}]{4,}|[\\x{202D}\\x{202E}]",
        },
      },
    ],
  },
  {
    slug: "tool-poisoning",
    name: "Tool poisoning",
    description:
      "Disables tools whose definition gives orders to the model, refers to tools of other servers in such an order, or has changed since it was accepted.",
    action: "block",
    message: "the definition of the tool contains instructions to the model, or has changed",
    checks: [{ type: "tool_poisoning", name: "Tool poisoning", config: {} }],
  },
  {
    slug: "suspicious-downloads",
    name: "Suspicious downloads",
    description: "Reports commands that download a program and run it immediately, such as curl piped into a shell.",
    action: "warn",
    message: "the content downloads and runs a program",
    checks: [
      {
        type: "regex",
        name: "Pipe to a shell",
        config: {
          pattern: "\\b(curl|wget|fetch)\\b[^\\n|;]{1,300}\\|\\s*(sudo\\s+)?(env\\s+)?(ba|z|da|k|fi)?sh\\b",
          flags: "i",
        },
      },
      {
        type: "regex",
        name: "Shell with a download",
        config: { pattern: "\\b(ba|z|da)?sh\\b\\s+(-c\\s+)?[\"']?(<\\(|\\$\\(|`)\\s*(curl|wget)\\b", flags: "i" },
      },
      {
        type: "regex",
        name: "PowerShell download",
        config: {
          pattern:
            "\\b(iex|invoke-expression)\\b[^\\n]{0,200}(downloadstring|invoke-webrequest|iwr|invoke-restmethod|irm)\\b|\\b(iwr|irm|invoke-webrequest|invoke-restmethod)\\b[^\\n|]{0,300}\\|\\s*(iex|invoke-expression)\\b",
          flags: "i",
        },
      },
      {
        type: "regex",
        name: "Interpreter with a download",
        config: {
          pattern: "\\b(curl|wget)\\b[^\\n|;]{1,300}\\|\\s*(sudo\\s+)?(python[23]?|node|perl|ruby|php)\\b",
          flags: "i",
        },
      },
      {
        type: "regex",
        name: "Decode and run",
        config: { pattern: "base64\\s+(-d|-D|--decode)[^\\n|;]{0,200}\\|\\s*(sudo\\s+)?(ba|z|da)?sh\\b" },
      },
    ],
  },
];

/** Guards that every installation has, all disabled. Admins can change enabled, action, threshold, scope, direction and priority. */
export const BUILT_IN_GUARDS: readonly GuardDefinition[] = [
  ...RUNTIME.map((seed) => complete(seed, "runtime")),
  ...BUILDTIME.map((seed) => complete(seed, "buildtime")),
];

function complete(seed: Seed, type: "runtime" | "buildtime"): GuardDefinition {
  const { slug, name, description, action, message, direction = "both", threshold = 7 } = seed;
  const checks: CheckDefinition[] = seed.checks.map(validateCheck);
  return {
    ...{ slug, name, description, type, enabled: false, action, threshold, direction, message, checks },
    entity_types: type === "buildtime" ? (slug === "tool-poisoning" ? ["tool"] : ENTITY_TYPES) : [],
    scope: ANY_SCOPE,
    priority: 100,
    on_error: defaultOnError(action),
  };
}
