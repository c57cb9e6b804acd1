import { z } from "zod";
import { AGENT_KINDS, MEMORY_KINDS, SERVER_SCOPES, SKILL_SOURCES, TRANSPORTS } from "#policy/types";

/** The fields of reported items. Unknown fields, such as values of variables, are not read. */

const NAME_LENGTH = 256;
export const PATH_LENGTH = 1_024;
const TEXT_LENGTH = 4_096;
const MAX_LIST = 256;
const SKILL_MD_LENGTH = 256 * 1024;

export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

const text = (maximum: number) =>
  z
    .string({ error: "must be a string" })
    .max(maximum, { error: `must be at most ${maximum} characters` })
    .refine(isStorable, { error: "must be well-formed text without NUL characters" });
const required = (field: string, maximum: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? `${field} is required` : "must be a string") })
    .max(maximum, { error: `must be at most ${maximum} characters` })
    .refine(isStorable, { error: "must be well-formed text without NUL characters" })
    .refine((value) => value.trim() !== "", { error: `${field} is required` });
const texts = (maximum: number) =>
  z
    .array(text(maximum), { error: "must be an array" })
    .max(MAX_LIST, { error: `must contain at most ${MAX_LIST} entries` });
const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, { error: `must be one of ${choices.join(", ")}` });
const size = z.int({ error: "must be an integer" }).min(0, { error: "must be an integer of at least 0" });
const digest = (field: string) =>
  required(field, 100).regex(/^sha256:[0-9a-f]{64}$/, { error: "must be sha256: and 64 hexadecimal digits" });
const flag = z.boolean({ error: "must be true or false" });

const place = { project: text(PATH_LENGTH).nullish(), username: text(NAME_LENGTH).nullish() };
/** Enforcement of the policy removed it, and the device can restore it. */
const quarantined = flag.nullish();

export const ServerItem = z
  .object(
    {
      name: required("name", NAME_LENGTH),
      client: required("client", 64),
      scope: choice(SERVER_SCOPES).default("user"),
      transport: choice(TRANSPORTS),
      command: text(TEXT_LENGTH).nullish(),
      args: texts(TEXT_LENGTH).nullish(),
      env_keys: texts(NAME_LENGTH).nullish(),
      header_keys: texts(NAME_LENGTH).nullish(),
      url: text(TEXT_LENGTH).nullish(),
      enabled: flag.nullish(),
      config_path: required("config_path", PATH_LENGTH),
      quarantined,
      ...place,
    },
    { error: "must be an object" },
  )
  .superRefine(({ transport, command, url }, context) => {
    const missing = transport === "stdio" ? (command ? undefined : "command") : url ? undefined : "url";
    if (missing) context.addIssue({ code: "custom", path: [missing], message: `${missing} is required` });
  });

export const SkillItem = z.object(
  {
    name: required("name", NAME_LENGTH),
    description: text(TEXT_LENGTH).nullish(),
    client: required("client", 64),
    path: required("path", PATH_LENGTH),
    files_count: size.nullish(),
    size_bytes: size.nullish(),
    digest: digest("digest"),
    has_scripts: flag.nullish(),
    allowed_tools: text(TEXT_LENGTH).nullish(),
    source: choice(SKILL_SOURCES).default("user"),
    issues: texts(64).nullish(),
    content: text(SKILL_MD_LENGTH).nullish(),
    quarantined,
    ...place,
  },
  { error: "must be an object" },
);

export const MemoryItem = z.object(
  {
    client: required("client", 64),
    kind: choice(MEMORY_KINDS),
    path: required("path", PATH_LENGTH),
    scope: choice(SERVER_SCOPES).default("user"),
    size_bytes: size.nullish(),
    sha256: required("sha256", 100).regex(/^(?:sha256:)?[0-9a-f]{64}$/, { error: "must be 64 hexadecimal digits" }),
    modified_at: text(64).nullish(),
    issues: texts(64).nullish(),
    ...place,
  },
  { error: "must be an object" },
);

export const AgentItem = z.object(
  {
    client: required("client", 64),
    kind: choice(AGENT_KINDS),
    name: required("name", NAME_LENGTH),
    version: text(64).nullish(),
    path: text(PATH_LENGTH).nullish(),
    running: flag.nullish(),
    username: text(NAME_LENGTH).nullish(),
  },
  { error: "must be an object" },
);
