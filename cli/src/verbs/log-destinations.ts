import type { Client } from "#openapi/client";
import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { saveSecret } from "../secret-file.ts";
import { type Call, LIMIT, type Noun, type Options, SAVE_TO, SEARCH, verb, YES } from "../verb.ts";

type Destination = Schemas["LogDestination"];

const COLUMNS: Columns<Destination> = {
  ID: (destination) => destination.id,
  NAME: (destination) => destination.name,
  KIND: (destination) => destination.kind,
  STATUS: (destination) => destination.status,
  SOURCES: (destination) => destination.sources,
  LAG: (destination) => destination.cursors.reduce((sum, { lag_records }) => sum + lag_records, 0),
  LOST: (destination) => destination.cursors.reduce((sum, { lost_records }) => sum + lost_records, 0),
  ERROR: (destination) => destination.cursors.find(({ last_error }) => last_error !== null)?.last_error,
};

const KIND = { type: "choice", choices: ["otlp", "s3", "webhook", "file"], description: "kind of receiver" } as const;
const FIELDS = {
  source: { type: "list", hint: "source", description: "calls or audit; repeat for both" },
  outcome: { type: "list", hint: "outcome", description: "only calls with this outcome; repeat for more" },
  receiver: { type: "text", hint: "url", description: "URL of the receiver; for s3, the endpoint" },
  region: { type: "text", hint: "region", description: "s3: region of the bucket" },
  bucket: { type: "text", hint: "bucket", description: "s3: name of the bucket" },
  prefix: { type: "text", hint: "prefix", description: "start of object keys or of file names" },
  addressing: { type: "choice", choices: ["path", "virtual_host"], description: "s3: where URLs name the bucket" },
  "access-key-id": { type: "text", hint: "id", description: "s3: ID of the access key" },
  "secret-file": {
    type: "text",
    hint: "file",
    description: "read the secret access key or signing secret from a file, or - for stdin",
  },
  "headers-file": { type: "text", hint: "file", description: "read headers from a JSON file, or - for stdin" },
  enabled: { type: "switch", description: "send records" },
} as const satisfies Options;

type Body = Schemas["UpdateLogDestination"];

/** Accepts the ID or the name of a destination. */
async function find(client: Client, destination: string): Promise<Destination> {
  const search = /^lgd_\w+$/.test(destination) ? undefined : destination;
  const rows = await readSkipping(undefined, (page) => client.listLogDestinations({ query: { search, ...page } }));
  const found = rows.find(({ id, name }) => id === destination || name.toLowerCase() === destination.toLowerCase());
  if (!found) {
    const message = `There is no log destination \`${destination}\`. List them: gatehouse log-destinations list`;
    throw new Failure(EXIT.notFound, message);
  }
  return found;
}

interface FieldCall extends Pick<Call, "readText"> {
  readonly options: {
    readonly source?: readonly string[] | undefined;
    readonly outcome?: readonly string[] | undefined;
    readonly receiver?: string | undefined;
    readonly region?: string | undefined;
    readonly bucket?: string | undefined;
    readonly prefix?: string | undefined;
    readonly addressing?: "path" | "virtual_host" | undefined;
    readonly "access-key-id"?: string | undefined;
    readonly "secret-file"?: string | undefined;
    readonly "headers-file"?: string | undefined;
    readonly enabled?: boolean | undefined;
  };
}

/** The API validates the values. */
async function bodyOf({ options, readText }: FieldCall, kind: string): Promise<Body> {
  const { source, outcome, receiver: url, region, bucket, prefix, addressing, enabled } = options;
  const secretFile = options["secret-file"];
  const text = secretFile === undefined ? undefined : (await readText(secretFile)).trim();
  const headersFile = options["headers-file"];
  const headers = headersFile === undefined ? undefined : parseHeaders(await readText(headersFile));
  return given({
    ...{
      sources: source && ([...source] as Body["sources"]),
      outcomes: outcome && ([...outcome] as Body["outcomes"]),
      url,
      region,
      bucket,
      prefix,
    },
    ...{ addressing, enabled, access_key_id: options["access-key-id"], headers },
    ...(kind === "s3" ? { secret_access_key: text } : { secret: text }),
  });
}

function parseHeaders(text: string): Record<string, string> {
  try {
    return JSON.parse(text);
  } catch {
    throw badUsage('--headers-file does not contain JSON such as {"Authorization": "Bearer …"}');
  }
}

const list = verb({
  description: "List log destinations with their lag",
  options: { search: SEARCH, limit: LIMIT },
  example: "gatehouse log-destinations list",
  async run({ api, options: { search, limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listLogDestinations({ query: { search, ...page } }));
    out.list(rows, COLUMNS, "No log destinations. Create one: gatehouse log-destinations create <name> --kind otlp");
  },
});

const get = verb({
  description: "Show a log destination and how far each log was sent",
  args: ["destination"],
  example: "gatehouse log-destinations get Collector",
  async run({ api, args, out }) {
    out.record(await find(api(), args.destination));
  },
});

const create = verb({
  description: "Create a log destination; a generated signing secret is shown only once",
  args: ["name"],
  options: { kind: KIND, ...FIELDS, "save-to": SAVE_TO },
  example:
    "gatehouse log-destinations create Collector --kind otlp --receiver https://otel.example.com/v1/logs --source calls",
  async run(call) {
    const { api, args, options, out } = call;
    const { kind } = options;
    if (kind === undefined) throw badUsage("Missing --kind: otlp, s3, webhook, or file");
    if (!options.source) throw badUsage("Missing --source: calls or audit");
    const fields = await bodyOf(call, kind);
    const body = { ...fields, name: args.name, kind, sources: fields.sources ?? [] };
    const client = api();
    const { answer, saved } = await saveSecret(options["save-to"], async () => {
      const created = await client.createLogDestination({ body });
      return { secret: created.secret, answer: created };
    });
    out.say(`Created log destination \`${answer.data.name}\`.`);
    if (saved) out.say(`Saved the secret to ${options["save-to"]}. It cannot be shown again.`);
    else if (answer.secret !== undefined) out.say("Copy the secret now. It cannot be shown again.");
    out.record(saved || answer.secret === undefined ? answer.data : { ...answer.data, secret: answer.secret });
  },
});

const update = verb({
  description: "Change, pause, or resume a log destination",
  args: ["destination"],
  options: { name: { type: "text", hint: "name", description: "new name" }, ...FIELDS },
  example: "gatehouse log-destinations update Collector --no-enabled",
  async run(call) {
    const { api, args, options, out } = call;
    const client = api();
    const { id, kind } = await find(client, args.destination);
    const body = { ...given({ name: options.name }), ...(await bodyOf(call, kind)) };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass an option such as --receiver");
    const { data } = await client.updateLogDestination({ query: { id }, body });
    out.say(`Updated log destination \`${data.name}\`.`);
    out.record(data);
  },
});

const remove = verb({
  description: "Delete a log destination",
  args: ["destination"],
  options: { yes: YES },
  example: "gatehouse log-destinations delete Collector --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    const { id, name } = await find(client, args.destination);
    await confirm(`Delete log destination ${name}? Records that wait are not sent.`);
    await client.deleteLogDestination({ query: { id } });
    out.say(`Deleted log destination \`${name}\`.`);
  },
});

const test = verb({
  description: "Send a test record and show the result",
  args: ["destination"],
  example: "gatehouse log-destinations test Collector",
  async run({ api, args, out }) {
    const client = api();
    const { id } = await find(client, args.destination);
    const { data } = await client.testLogDestination({ path: { id } });
    if (!data.delivered)
      throw new Failure(EXIT.failed, `The test record was not delivered. ${data.error ?? ""}`.trim());
    out.say(data.response_status === null ? "Delivered." : `Delivered with status ${data.response_status}.`);
    if (data.warning !== null) out.say(data.warning);
    out.record(data);
  },
});

const rewind = verb({
  description: "Send all records since a time again",
  args: ["destination"],
  options: { to: { type: "text", hint: "time", description: "ISO 8601 time to continue from" }, yes: YES },
  example: "gatehouse log-destinations rewind Collector --to 2027-01-31T00:00:00Z --yes",
  async run({ api, args, options: { to }, out, confirm }) {
    if (to === undefined) throw badUsage("Missing --to, the time to continue from");
    const client = api();
    const { id, name } = await find(client, args.destination);
    await confirm(`Send all records since ${to} to ${name} again?`);
    const { data } = await client.rewindLogDestination({ path: { id }, body: { to } });
    out.say(`Log destination \`${name}\` continues at ${to}.`);
    out.record(data);
  },
});

export const logDestinations: Noun = {
  description: "Log destinations, which receive the call log and the audit log",
  verbs: { list, get, create, update, delete: remove, test, rewind },
  example:
    "gatehouse log-destinations create Collector --kind otlp --receiver https://otel.example.com/v1/logs --source calls",
};
