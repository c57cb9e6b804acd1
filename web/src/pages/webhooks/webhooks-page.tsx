import { Button } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { CreateWebhook } from "./create-webhook.tsx";
import { WebhookMenu } from "./webhook-menu.tsx";
import { deliveryLabel, fetchWebhooks, type Webhook, webhookState, webhooksKey } from "./webhooks.ts";

const route = getRouteApi("/webhooks");

export function WebhooksPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, add } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...webhooksKey, "list", q], (skip, signal) => fetchWebhooks(api, q, skip, signal));
  const openAdd = (what: "webhook" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const createButton = changes && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("webhook")}>
      Create webhook
    </Button>
  );
  const isEmpty = !list.isPending && list.rows.length === 0 && q === undefined;
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Send events, such as an unreachable server or an access request, to Slack, an on-call service, or your own code."
        actions={!isEmpty && createButton}
      />
      {!isEmpty && (
        <FilterBar>
          <SearchField
            label="Search webhooks"
            value={q}
            onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
          />
        </FilterBar>
      )}
      <DataTable
        label="Webhooks"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: "/webhooks/$id", params: { id } })}
        {...(changes ? { rowMenu: (webhook: Webhook) => <WebhookMenu webhook={webhook} /> } : {})}
        empty={
          q === undefined ? (
            <EmptyState icon={IconWebhook} title="No webhooks yet" actions={createButton}>
              Create a webhook to post a message in Slack when a server fails, or to open a ticket when somebody
              requests access. Requests are signed, and repeated for a day if the receiver is down.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconWebhook}
              title="No matching webhooks"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear search
                </Button>
              }
            >
              The search covers names.
            </EmptyState>
          )
        }
      />
      <CreateWebhook opened={add === "webhook" && changes} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Webhook>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, url }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">{hostOf(url)}</span>
      </span>
    ),
  },
  {
    key: "events",
    header: "Events",
    width: "26%",
    hideBelow: "md",
    render: ({ events }) => (
      <code className="gh-truncate" title={events.join(", ")}>
        {events.join(", ")}
      </code>
    ),
  },
  { key: "format", header: "Format", width: "6rem", hideBelow: "lg", render: ({ format }) => FORMATS[format] },
  {
    key: "state",
    header: "Status",
    width: "10rem",
    narrowWidth: "9rem",
    render: (webhook) => {
      const { label, tone } = webhookState(webhook);
      return <StatusPill tone={tone}>{label}</StatusPill>;
    },
  },
  {
    key: "last",
    header: "Last delivery",
    width: "12rem",
    hideBelow: "sm",
    render: ({ last_delivery: last }) => (last ? <LastDelivery last={last} /> : <span className="gh-dim">None</span>),
  },
];

const FORMATS: Readonly<Record<Webhook["format"], string>> = { json: "JSON", slack: "Slack" };

function LastDelivery({ last }: { last: NonNullable<Webhook["last_delivery"]> }) {
  return (
    <span className="gh-two-lines">
      <span className="gh-truncate" title={last.error ?? undefined}>
        {deliveryLabel(last).label}
        {last.response_status !== null && ` (${last.response_status})`}
      </span>
      <span>
        <TimeAgo time={last.at} />
      </span>
    </span>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
