import { z } from "zod";
import { createdAt, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { choice, flag, requiredText, text, webUrl } from "#api/kit/body-fields";
import { CALL_OUTCOMES } from "#lib/call-vocabulary";
import { isWebhookSecret } from "#records/webhooks";
import { LOG_DESTINATION_KINDS, LOG_SOURCES } from "#storage/log-destination-tables";
import { headersField } from "./headers-field.ts";

const ADDRESSING = ["path", "virtual_host"] as const;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const ACCESS_KEY_ID = /^[\x21-\x7e]{1,128}$/;

const descriptions = {
  kind: "`otlp`: OpenTelemetry logs (OTLP/HTTP with JSON). `s3`: compressed JSON lines in an S3-compatible bucket. `webhook`: JSON lines in signed requests. `file`: JSON lines in the folder `LOG_FILES_DIR`",
  sources: "`calls`: the call log. `audit`: the audit log with its signed checkpoints",
  outcomes: "Only calls with these outcomes are sent; null: all calls",
  url: "`otlp` and `webhook`: the URL of the receiver. `s3`: the endpoint. Private addresses need `EGRESS_ALLOW`; redirects are not followed",
  region: "`s3`: the region of the bucket",
  bucket: "`s3`: the name of the bucket",
  addressing: "`s3`: where the bucket's name is in URLs. `path`: after the host; `virtual_host`: before the host",
  access_key_id: "`s3`: the ID of the access key",
  prefix: "`s3`: the start of object keys, such as `gatehouse/`. `file`: the start of file names",
  enabled: "Whether records are sent. While it is paused, its position in the log is kept",
};

const isUnique = (list: readonly string[]) => new Set(list).size === list.length;
const fields = {
  name: requiredText("name", 100).describe("Name of the destination, unique regardless of case"),
  sources: z
    .array(choice(LOG_SOURCES), {
      error: (issue) => (issue.input === undefined ? "sources is required" : "must be an array"),
    })
    .min(1, { error: "must contain at least one source" })
    .refine(isUnique, { error: "must not contain a source twice" })
    .describe(descriptions.sources),
  outcomes: z
    .array(choice(CALL_OUTCOMES), { error: "must be an array or null" })
    .min(1, { error: "must contain at least one outcome" })
    .refine(isUnique, { error: "must not contain an outcome twice" })
    .nullable()
    .describe(descriptions.outcomes),
  enabled: flag().describe(descriptions.enabled),
};
/** Which of them a kind has is in `kind-fields.ts`. */
const kindFields = {
  url: webUrl().meta({ description: descriptions.url }).optional(),
  region: text()
    .regex(REGION, { error: "must be a region such as us-east-1" })
    .meta({ description: descriptions.region })
    .optional(),
  bucket: text()
    .regex(BUCKET, { error: "must be a valid bucket name" })
    .meta({ description: descriptions.bucket })
    .optional(),
  addressing: choice(ADDRESSING)
    .meta({ description: `${descriptions.addressing}. \`path\` by default` })
    .optional(),
  access_key_id: text()
    .regex(ACCESS_KEY_ID, { error: "must be an access key ID" })
    .meta({ description: descriptions.access_key_id })
    .optional(),
  prefix: text(200).meta({ description: descriptions.prefix }).optional(),
  headers: headersField
    .optional()
    .describe("`otlp` and `webhook`: headers of every request, by name. Replaces all; never returned"),
  secret: text(200)
    .refine(isWebhookSecret, { error: "must be whsec_ followed by 24 to 64 bytes in base64" })
    .meta({ description: "`webhook`: the signing secret. It is never returned", writeOnly: true })
    .optional(),
  secret_access_key: requiredText("secret_access_key", 256)
    .meta({ description: "`s3`: the secret access key. It is never returned", writeOnly: true })
    .optional(),
};

export const CreateLogDestinationBody = z
  .object({
    ...fields,
    kind: z
      .unknown()
      .refine((value) => value !== undefined, { error: "kind is required" })
      .pipe(choice(LOG_DESTINATION_KINDS))
      .meta({ description: descriptions.kind }),
    outcomes: fields.outcomes.default(null),
    enabled: fields.enabled.default(true),
    ...kindFields,
  })
  .meta({
    id: "CreateLogDestination",
    description: "A log destination to create. It starts with the next record; rewind it to send older ones",
    example: { name: "Collector", kind: "otlp", sources: ["calls", "audit"], url: "https://otel.example.com/v1/logs" },
  });

export const UpdateLogDestinationBody = z
  .object({ ...fields, ...kindFields })
  .partial()
  .meta({ id: "UpdateLogDestination", description: "Fields to change", example: { enabled: false } });

export const RewindLogDestinationBody = z
  .object({
    to: z
      .unknown()
      .refine((value) => value !== undefined, { error: "to is required" })
      .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 timestamp" }))
      .meta({ description: "All records since this time are sent again", example: "2027-01-31T09:30:00Z" }),
  })
  .meta({ id: "RewindLogDestination", description: "Where to continue", example: { to: "2027-01-31T09:30:00Z" } });

const Cursor = z
  .object({
    source: z
      .enum([...LOG_SOURCES, "checkpoints"])
      .describe("The log. Signed checkpoints of the audit log have a separate position"),
    position: z.int().meta({ description: "Number of the last record that was sent", example: 48_113 }),
    lag_records: z
      .int()
      .meta({ description: "Records that wait, including those that the filter leaves out", example: 0 }),
    lag_seconds: z.int().meta({ description: "How long the oldest of them has been waiting", example: 0 }),
    shipped_records: z.int().meta({ description: "Records that were sent", example: 48_113 }),
    shipped_at: timestamp("When records were last sent").nullable(),
    lost_records: z.int().describe("Records that retention deleted before they were sent"),
    lost_at: timestamp("When lost records were last noticed").nullable(),
    rejected_records: z.int().describe("Records that the receiver rejected for good"),
    failing_since: timestamp("The first failed attempt since the last successful one").nullable(),
    last_error: z.string().nullable().describe("Why the last attempt failed or records were rejected; null if neither"),
    next_attempt_at: timestamp("When the next attempt follows a failed one").nullable(),
  })
  .meta({ id: "LogCursor", description: "How far one log was sent" });

const nullableText = (description: string) => z.string().nullable().describe(description);

export const LogDestination = z
  .object({
    id: recordId("lgd"),
    name: z.string().meta({ description: "Name of the destination", example: "Collector" }),
    kind: z.enum(LOG_DESTINATION_KINDS).describe(descriptions.kind),
    sources: z.array(z.enum(LOG_SOURCES)).describe(descriptions.sources),
    outcomes: z.array(z.enum(CALL_OUTCOMES)).nullable().describe(descriptions.outcomes),
    url: nullableText(descriptions.url),
    region: nullableText(descriptions.region),
    bucket: nullableText(descriptions.bucket),
    addressing: z.enum(ADDRESSING).nullable().describe(descriptions.addressing),
    access_key_id: nullableText(descriptions.access_key_id),
    prefix: nullableText(descriptions.prefix),
    header_names: z.array(z.string()).describe("The names of the headers, whose values are secret"),
    enabled: z.boolean().describe(descriptions.enabled),
    status: z
      .enum(["paused", "failing", "behind", "current"])
      .describe("`failing`: the last attempt failed; `behind`: records wait for more than 5 minutes"),
    cursors: z.array(Cursor).describe("How far each log was sent"),
    created_by: z.string().meta({ description: "Who created it", example: "ada@example.com" }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "LogDestination", description: "A receiver of logs, without its secrets" });

export const LogDestinationTest = z
  .object({
    delivered: z.boolean().describe("Whether the receiver accepted the record"),
    response_status: z.int().nullable().meta({ description: "HTTP status; null: no response", example: 200 }),
    error: z.string().nullable().describe("Why it failed; null if it succeeded"),
    warning: z
      .string()
      .nullable()
      .describe("What the receiver reported although it accepted the request; null: nothing"),
    response: z.string().nullable().describe("The first 1,000 characters of the response; for a file, its name"),
  })
  .meta({ id: "LogDestinationTest", description: "How the receiver responded to a test record" });
