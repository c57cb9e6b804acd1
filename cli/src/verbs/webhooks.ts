import type { Client } from "#openapi/client";
import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readPages, readSkipping } from "../read-pages.ts";
import { saveSecret } from "../secret-file.ts";
import { type Call, LIMIT, type Noun, type Options, SAVE_TO, SEARCH, verb, YES } from "../verb.ts";

type EventType = Schemas["CreateWebhook"]["events"][number];

const SHOWN = 50;

const COLUMNS: Columns<Schemas["Webhook"]> = {
  ID: (webhook) => webhook.id,
  NAME: (webhook) => webhook.name,
  STATUS: (webhook) => (webhook.enabled ? "enabled" : (webhook.disabled_reason ?? "disabled")),
  "LAST DELIVERY": (webhook) => webhook.last_delivery?.status,
  EVENTS: (webhook) => webhook.events,
  URL: (webhook) => webhook.url,
};

const DELIVERY_COLUMNS: Columns<Schemas["WebhookDelivery"]> = {
  ID: (delivery) => delivery.id,
  TIME: (delivery) => delivery.created_at,
  EVENT: (delivery) => delivery.event,
  STATUS: (delivery) => delivery.status,
  RESPONSE: (delivery) => delivery.response_status,
  ATTEMPTS: (delivery) => delivery.attempts,
  ERROR: (delivery) => delivery.error,
};

const FORMAT = { type: "choice", choices: ["json", "slack"], description: "format of the requests" } as const;
const EVENT = { type: "list", hint: "event", description: "event such as server.unhealthy; repeat for more" } as const;
const SECRET_FILE = {
  type: "text",
  hint: "file",
  description: "read the signing secret from a file, or - for stdin; otherwise one is generated",
} as const;
const FIELDS = {
  receiver: { type: "text", hint: "url", description: "URL of the receiver" },
  event: EVENT,
  format: FORMAT,
  enabled: { type: "switch", description: "send events" },
  "secret-file": SECRET_FILE,
} as const satisfies Options;

/** Accepts the ID or the name of a webhook. */
async function findId(client: Client, webhook: string): Promise<string> {
  if (/^whk_\w+$/.test(webhook)) return webhook;
  const rows = await readSkipping(undefined, (page) => client.listWebhooks({ query: { search: webhook, ...page } }));
  const found = rows.find(({ name }) => name.toLowerCase() === webhook.toLowerCase());
  if (!found)
    throw new Failure(EXIT.notFound, `There is no webhook \`${webhook}\`. List them: gatehouse webhooks list`);
  return found.id;
}

async function secretIn({ readText }: Pick<Call, "readText">, file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : (await readText(file)).trim();
}

const list = verb({
  description: "List webhooks with their last delivery",
  options: { search: SEARCH, limit: LIMIT },
  example: "gatehouse webhooks list",
  async run({ api, options: { search, limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listWebhooks({ query: { search, ...page } }));
    out.list(
      rows,
      COLUMNS,
      "No webhooks. Create one: gatehouse webhooks create <name> --receiver <url> --event <event>",
    );
  },
});

const events = verb({
  description: "List the events that webhooks can subscribe to",
  example: "gatehouse webhooks events",
  async run({ api, out }) {
    const { data } = await api().listWebhookEvents();
    const columns: Columns<Schemas["WebhookEvent"]> = {
      EVENT: (event) => event.type,
      AVAILABLE: (event) => event.available,
      DESCRIPTION: (event) => event.description,
    };
    out.list(data, columns, "No events.");
  },
});

const create = verb({
  description: "Create a webhook; a generated secret is shown only once",
  args: ["name"],
  options: { ...FIELDS, "save-to": SAVE_TO },
  example:
    "gatehouse webhooks create On-call --receiver https://hooks.example.com --event server.unhealthy --save-to hook.secret",
  async run(call) {
    const { api, args, options, out } = call;
    const { receiver: url, event, format, enabled } = options;
    if (url === undefined) throw badUsage("Missing --receiver, the URL of the receiver");
    if (!event) throw badUsage("Missing --event. List them: gatehouse webhooks events");
    const secret = await secretIn(call, options["secret-file"]);
    // The API validates the events.
    const body = { name: args.name, url, events: event as EventType[], ...given({ format, enabled, secret }) };
    const client = api();
    const { answer, saved } = await saveSecret(options["save-to"], async () => {
      const created = await client.createWebhook({ body });
      return { secret: created.secret, answer: created };
    });
    out.say(`Created webhook \`${answer.data.name}\`.`);
    if (saved) out.say(`Saved the secret to ${options["save-to"]}. It cannot be shown again.`);
    else if (answer.secret !== undefined) out.say("Copy the secret now. It cannot be shown again.");
    out.record(saved || answer.secret === undefined ? answer.data : { ...answer.data, secret: answer.secret });
  },
});

const update = verb({
  description: "Change a webhook",
  args: ["webhook"],
  options: { name: { type: "text", hint: "name", description: "new name" }, ...FIELDS },
  example: "gatehouse webhooks update On-call --no-enabled",
  async run(call) {
    const { api, args, options, out } = call;
    const { name, receiver: url, event, format, enabled } = options;
    const secret = await secretIn(call, options["secret-file"]);
    const body = given({ name, url, events: event as EventType[] | undefined, format, enabled, secret });
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass an option such as --receiver");
    const client = api();
    const { data } = await client.updateWebhook({ query: { id: await findId(client, args.webhook) }, body });
    out.say(`Updated webhook \`${data.name}\`.`);
    out.record(data);
  },
});

const remove = verb({
  description: "Delete a webhook and its deliveries",
  args: ["webhook"],
  options: { yes: YES },
  example: "gatehouse webhooks delete On-call --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    const id = await findId(client, args.webhook);
    await confirm(`Delete webhook ${args.webhook}? Pending events are not sent.`);
    await client.deleteWebhook({ query: { id } });
    out.say(`Deleted webhook \`${args.webhook}\`.`);
  },
});

const deliveries = verb({
  description: "Show the deliveries of a webhook, newest last",
  args: ["webhook"],
  options: {
    status: { type: "choice", choices: ["pending", "delivered", "failed"], description: "only with this status" },
    event: { type: "text", hint: "event", description: "only this event" },
    limit: { ...LIMIT, description: `number of deliveries (default: ${SHOWN})` },
  },
  example: "gatehouse webhooks deliveries On-call --status failed",
  async run({ api, args, options: { status, event, limit: most = SHOWN }, out }) {
    const client = api();
    const id = await findId(client, args.webhook);
    const filters = { status, event: event as EventType | undefined };
    const rows = await readPages<Schemas["WebhookDelivery"], string>(most, async (limit, cursor) => {
      const { data, pagination } = await client.listWebhookDeliveries({
        path: { id },
        query: { ...filters, limit, cursor },
      });
      return { rows: data, next: pagination.nextCursor };
    });
    out.list(rows.toReversed(), DELIVERY_COLUMNS, "No deliveries.");
  },
});

const redeliver = verb({
  description: "Send an event again",
  args: ["webhook", "delivery"],
  example: "gatehouse webhooks redeliver On-call whd_01kc5v6q3zt9x4m2e8h7d5n1pw",
  async run({ api, args, out }) {
    const client = api();
    const path = { id: await findId(client, args.webhook), delivery_id: args.delivery };
    const { data } = await client.redeliverWebhookDelivery({ path });
    out.say(`Event ${data.event} is sent again. See the result: gatehouse webhooks deliveries ${args.webhook}`);
    out.record(data);
  },
});

const test = verb({
  description: "Send a test event and show the result",
  args: ["webhook"],
  example: "gatehouse webhooks test On-call",
  async run({ api, args, out }) {
    const client = api();
    const { data } = await client.testWebhook({ path: { id: await findId(client, args.webhook) } });
    const [attempt] = data.attempt_log;
    if (data.status !== "delivered")
      throw new Failure(EXIT.failed, `The test event was not delivered. ${data.error ?? ""}`.trim());
    out.say(`Delivered with status ${data.response_status} in ${attempt?.duration_ms ?? 0} ms.`);
    out.record(data);
  },
});

const rotate = verb({
  description: "Rotate the secret of a webhook; the new one is shown only once",
  args: ["webhook"],
  options: {
    overlap: {
      type: "number",
      hint: "hours",
      description: "also sign with the old secret for this long (default: 24)",
    },
    "secret-file": SECRET_FILE,
    "save-to": SAVE_TO,
  },
  example: "gatehouse webhooks rotate-secret On-call --overlap 48 --save-to hook.secret",
  async run(call) {
    const { api, args, options, out } = call;
    const client = api();
    const id = await findId(client, args.webhook);
    const body = given({ overlap_hours: options.overlap, secret: await secretIn(call, options["secret-file"]) });
    const { answer, saved } = await saveSecret(options["save-to"], async () => {
      const rotated = await client.rotateWebhookSecret({ path: { id }, body });
      return { secret: rotated.secret, answer: rotated };
    });
    if (saved) out.say(`Saved the secret to ${options["save-to"]}. It cannot be shown again.`);
    else if (answer.secret !== undefined) out.say("Copy the secret now. It cannot be shown again.");
    out.record(saved || answer.secret === undefined ? answer.data : { ...answer.data, secret: answer.secret });
  },
});

export const webhooks: Noun = {
  description: "Webhooks, which send events to other services",
  verbs: { list, create, update, delete: remove, deliveries, redeliver, test, "rotate-secret": rotate, events },
  example: "gatehouse webhooks create On-call --receiver https://hooks.example.com --event server.unhealthy",
};
