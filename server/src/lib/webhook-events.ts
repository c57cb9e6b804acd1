/** The events that webhooks can subscribe to. Append-only, because stored webhooks name them. */
export interface WebhookEvent {
  readonly type: string;
  /** The heading in the list of events. */
  readonly group: string;
  readonly title: string;
  readonly description: string;
  /** Whether this release emits it. Unavailable events are accepted, and the app does not offer them. */
  readonly available: boolean;
}

export const WEBHOOK_EVENTS = [
  {
    type: "server.unhealthy",
    group: "Servers",
    title: "Server unhealthy",
    description: "Syncs of an active server fail, or most of its recent calls fail",
    available: true,
  },
  {
    type: "server.healthy",
    group: "Servers",
    title: "Server healthy",
    description: "A server that was unhealthy works again",
    available: true,
  },
  {
    type: "tools.held",
    group: "Servers",
    title: "Tools held for review",
    description: "A sync found new or changed tool definitions that wait for a review",
    available: true,
  },
  {
    type: "approval.requested",
    group: "Guards and approvals",
    title: "Approval requested",
    description: "A guard held a call until a person approves it",
    available: true,
  },
  {
    type: "approval.decided",
    group: "Guards and approvals",
    title: "Approval decided",
    description: "A held call was approved or denied, or its approval expired",
    available: true,
  },
  {
    type: "guard.blocked",
    group: "Guards and approvals",
    title: "Guard blocked a call",
    description: "A guard blocked a request or a response. Frequent blocks are combined into one event",
    available: true,
  },
  {
    type: "agent.finished",
    group: "Agents",
    title: "Agent finished",
    description: "A session of an agent completed, failed, or timed out",
    available: true,
  },
  {
    type: "discovery.violation",
    group: "AI discovery",
    title: "Discovery violation",
    description:
      "The AI discovery policy warns about or blocks something on a device. Violations of one report are combined into one event",
    available: true,
  },
  {
    type: "access.requested",
    group: "Access",
    title: "Access requested",
    description: "A person requested access to a server or to some of its tools",
    available: true,
  },
  {
    type: "security.alert",
    group: "Security",
    title: "Security alert",
    description: "A sensitive change, such as a new owner, a new API token with all scopes, or a reset account",
    available: true,
  },
  {
    type: "audit.checkpoint",
    group: "Audit log",
    title: "Audit checkpoint",
    description: "A signed checkpoint of the audit log, every 10 minutes if there are new entries",
    available: true,
  },
  {
    type: "audit.entry",
    group: "Audit log",
    title: "Audit entry",
    description: "Every new entry of the audit log, with its position and hash",
    available: true,
  },
] as const satisfies readonly WebhookEvent[];

export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number]["type"];

export const WEBHOOK_EVENT_TYPES = WEBHOOK_EVENTS.map(({ type }) => type) as [WebhookEventType, ...WebhookEventType[]];

/** Sent by the test button. Every webhook receives it, and it is not retried. */
export const TEST_EVENT = "webhook.test";
