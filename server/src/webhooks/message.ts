import { countOf } from "#lib/count-of";
import { isObject } from "#lib/is-object";
import { TEST_EVENT } from "#lib/webhook-events";
import type { WebhookDeliveryRow } from "#storage/webhook-tables";

export interface EventPayload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of a request. Always the same for the same delivery, format and base URL. */
export function bodyOf({ payload, format }: Pick<WebhookDeliveryRow, "payload" | "format">, baseUrl: string): string {
  // Only `payloadOf` writes payloads.
  const event = JSON.parse(payload) as EventPayload;
  const url = `${baseUrl}${pageOf(event)}`;
  if (format === "slack") return JSON.stringify({ text: `${slackText(event)}\n<${url}|Open Gatehouse>` });
  return JSON.stringify({ ...event, data: { ...event.data, url } });
}

/** The page of the app that shows the cause of an event. */
function pageOf({ type, data }: EventPayload): string {
  switch (type) {
    case "server.unhealthy":
    case "server.healthy":
      return serverPage(data);
    case "tools.held":
      return `${serverPage(data)}?tab=tools`;
    case "access.requested":
      return "/access?tab=requests";
    case "security.alert":
    case "audit.checkpoint":
    case "audit.entry":
      return "/audit";
    case TEST_EVENT:
      return "/webhooks";
    default:
      return typeof data.path === "string" && data.path.startsWith("/") ? data.path : "/";
  }
}

function serverPage(data: EventPayload["data"]): string {
  return `/mcp-servers/${encodeURIComponent(text(member(data.server, "slug")))}`;
}

/** One readable message in Slack's markup. */
function slackText({ type, data }: EventPayload): string {
  const server = escapeSlack(text(member(data.server, "name")));
  const message = escapeSlack(text(data.message));
  switch (type) {
    case "server.unhealthy":
      return `:red_circle: *${server} is ${data.status === "failing" ? "failing" : "unreachable"}*\n${message}`;
    case "server.healthy":
      return `:large_green_circle: *${server} is healthy again*`;
    case "tools.held": {
      const tools = Array.isArray(data.tools) ? data.tools.map((tool) => escapeSlack(text(member(tool, "name")))) : [];
      return `:mag: *${server} has ${count(data.total, "tool")} held for review*\n${tools.slice(0, 10).join(", ")}`;
    }
    case "access.requested": {
      const person = escapeSlack(text(member(data.person, "email")));
      return `:raised_hand: *${person} requests access to ${server}*\n${escapeSlack(text(data.reason))}`;
    }
    case "approval.requested": {
      const held = `${escapeSlack(text(data.user_email))} wants to call ${escapeSlack(text(data.tool))} of ${server}`;
      return `:hourglass_flowing_sand: *Approval requested: ${held}*\n${escapeSlack(text(data.reason))}`;
    }
    case "approval.decided": {
      const by = text(data.decided_by) === "" ? "" : ` by ${escapeSlack(text(data.decided_by))}`;
      const call = `${escapeSlack(text(data.tool))} of ${server} for ${escapeSlack(text(data.user_email))}`;
      return `:ballot_box_with_check: *Call ${escapeSlack(text(data.status))}${by}: ${call}*\n${escapeSlack(text(data.note))}`.trimEnd();
    }
    case "audit.checkpoint":
      return `:lock: *Checkpoint of the audit log at entry ${typeof data.seq === "number" ? data.seq : ""}*\n${escapeSlack(text(data.hash))}`;
    case "audit.entry": {
      const change = `${escapeSlack(text(data.operation))} → ${escapeSlack(text(member(data.target, "name")))}`;
      return `:memo: *${escapeSlack(text(member(data.actor, "name")))}: ${change}*`;
    }
    case "security.alert": {
      const who = `${escapeSlack(text(member(data.actor, "name")))} → ${escapeSlack(text(member(data.target, "name")))}`;
      return `:rotating_light: *${escapeSlack(text(data.title))}*\n${who}`;
    }
    case TEST_EVENT:
      return `:wave: *Test event of Gatehouse*\n${message}`;
    default:
      return `*${escapeSlack(text(data.title) || type)}*\n${message}`.trimEnd();
  }
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(total: unknown, noun: string): string {
  return countOf(typeof total === "number" ? total : 0, noun);
}

/** Slack's control characters; without this, a name could mention everybody or hide a link. */
function escapeSlack(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*_`~]/g, "\u200b$&");
}
