import type { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { EgressRefused } from "#egress/egress";
import { invalid } from "#lib/errors";
import type { LogDestinationSecrets } from "#records/log-destinations";
import type { LogDestinationConfig, LogDestinationKind } from "#storage/log-destination-tables";
import type { CreateLogDestinationBody } from "./schema.ts";

const NAMES = [
  ...(["url", "region", "bucket", "addressing", "access_key_id", "prefix"] as const),
  ...(["headers", "secret", "secret_access_key"] as const),
];
type KindField = (typeof NAMES)[number];
export type KindFields = Pick<z.output<typeof CreateLogDestinationBody>, KindField>;

const FIELDS: Readonly<Record<LogDestinationKind, { required: readonly KindField[]; optional: readonly KindField[] }>> =
  {
    otlp: { required: ["url"], optional: ["headers"] },
    webhook: { required: ["url"], optional: ["headers", "secret"] },
    s3: {
      required: ["url", "region", "bucket", "access_key_id", "secret_access_key"],
      optional: ["prefix", "addressing"],
    },
    file: { required: ["prefix"], optional: [] },
  };
/** No separators, so that the file stays in the folder. */
const FILE_PREFIX = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

interface Stored {
  readonly config: LogDestinationConfig;
  readonly secrets: LogDestinationSecrets;
}

type Needs = Pick<ApiContext, "assertReachableUrl" | "logShipping">;

/** Splits the fields of a kind into the stored ones. Given fields replace those of `before`. */
export function resolveKindFields(
  context: Needs,
  kind: LogDestinationKind,
  given: KindFields,
  before: Stored = { config: {}, secrets: {} },
): Stored {
  const { required, optional } = FIELDS[kind];
  for (const name of NAMES) {
    if (given[name] !== undefined && !required.includes(name) && !optional.includes(name))
      throw invalid(name, `is not a field of the kind ${kind}`);
  }
  requireHeadersForNewOrigin(given, before);
  const { headers, secret, secret_access_key, ...plain } = given;
  const secrets = withoutUndefined({ ...before.secrets, ...withoutUndefined({ headers, secret, secret_access_key }) });
  const config: LogDestinationConfig = withoutUndefined({
    ...before.config,
    ...withoutUndefined(plain),
    ...(kind === "s3" && { addressing: plain.addressing ?? before.config.addressing ?? "path" }),
    ...(headers !== undefined && { header_names: Object.keys(headers) }),
  });
  const all: Readonly<Record<string, unknown>> = { ...config, ...secrets };
  const missing = required.find((name) => all[name] === undefined);
  if (missing !== undefined) throw invalid(missing, `${missing} is required`);
  validate(context, kind, config);
  return { config, secrets };
}

/** Otherwise an admin could read the stored headers by sending them to another host. */
function requireHeadersForNewOrigin({ url, headers }: KindFields, { config, secrets }: Stored): void {
  if (url === undefined || config.url === undefined || headers !== undefined) return;
  const hasHeaders = Object.keys(secrets.headers ?? {}).length > 0;
  if (hasHeaders && new URL(url).origin !== new URL(config.url).origin)
    throw invalid("headers", "must be given again, because the URL has another origin");
}

function validate(
  context: Needs,
  kind: LogDestinationKind,
  { url, prefix, addressing, bucket = "" }: LogDestinationConfig,
) {
  if (kind === "file") {
    if (!context.logShipping.writesFiles) throw invalid("kind", "file requires the environment variable LOG_FILES_DIR");
    if (!FILE_PREFIX.test(prefix ?? "")) throw invalid("prefix", "must contain only letters, digits, - and _");
    return;
  }
  requireReachable(context, url ?? "");
  if (kind !== "s3") return;
  if (new URL(url ?? "").search !== "") throw invalid("url", "must not have a query");
  if (addressing === "virtual_host") requireVirtualHost(context, new URL(url ?? ""), bucket);
  if (/^\/|\/\/|(^|\/)\.\.?(\/|$)/.test(prefix ?? "")) throw invalid("prefix", "must be the start of an object key");
}

function requireVirtualHost(context: Needs, url: URL, bucket: string): void {
  if (/^[\d.]+$|^\[/.test(url.hostname))
    throw invalid("addressing", "virtual_host requires a host name, not an IP address");
  url.hostname = `${bucket}.${url.hostname}`;
  requireReachable(context, url.href);
}

/** F40: the same rules apply when a batch is sent, also to the addresses that a host name resolves to. */
function requireReachable(context: Needs, url: string): void {
  try {
    context.assertReachableUrl(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid("url", error.message);
    throw error;
  }
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  // Only undefined values are removed.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
}
