import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar } from "../../components/filter-bar.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import {
  type Delivery,
  deliveryLabel,
  type EventType,
  eventsQuery,
  eventTitle,
  TEST_EVENT,
  type Webhook,
  type WebhookEvent,
  webhooksKey,
} from "./webhooks.ts";

const route = getRouteApi("/webhooks/$id");

const STATUSES = [
  { value: "delivered", label: "Delivered" },
  { value: "pending", label: "Pending" },
  { value: "failed", label: "Failed" },
] as const;

/** The delivery log. It refreshes with the webhook, because retries change its rows. */
export function WebhookDeliveries({ webhook: { id, last_delivery: last } }: { webhook: Webhook }) {
  const api = useApi();
  const { status, event, open } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: events } = useQuery(eventsQuery(api));
  const filters = { status, event: event as EventType | undefined };
  const list = useCursorPages([...webhooksKey, "deliveries", id, status, event, last?.at], (cursor, signal) =>
    api.listWebhookDeliveries({ path: { id }, query: { ...filters, cursor, limit: 100 }, signal }),
  );
  const choose = (patch: { status?: Delivery["status"] | undefined; event?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const show = (delivery: string | undefined) => void navigate({ search: (old) => ({ ...old, open: delivery }) });
  const columns = useMemo(() => columnsOf(events), [events]);
  const options = [...(events ?? []).map(({ type, title }) => ({ value: type, label: title })), TEST_OPTION];
  const isFiltered = status !== undefined || event !== undefined;
  return (
    <>
      <FilterBar>
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={STATUSES}
          onChange={(next) => choose({ status: next })}
        />
        <Choice
          label="Event"
          any="All events"
          value={event}
          options={options}
          onChange={(next) => choose({ event: next })}
        />
      </FilterBar>
      <DataTable
        label="Deliveries"
        list={list}
        columns={columns}
        rowKey={(delivery) => delivery.id}
        onOpen={(delivery) => show(delivery.id)}
        openKey={open}
        empty={<NoDeliveries onClear={isFiltered ? () => void navigate({ search: {} }) : undefined} />}
      />
      <DeliveryPanel webhookId={id} deliveryId={open} events={events} onClose={() => show(undefined)} />
    </>
  );
}

const TEST_OPTION = { value: TEST_EVENT, label: "Test event" };

function columnsOf(events: readonly WebhookEvent[] | undefined): ReadonlyArray<Column<Delivery>> {
  return [
    {
      key: "event",
      header: "Event",
      render: ({ event, error }) => (
        <span className="gh-two-lines">
          <span className="gh-truncate">{eventTitle(events, event)}</span>
          <span className="gh-truncate">{error ?? event}</span>
        </span>
      ),
    },
    {
      key: "status",
      header: "Status",
      width: "8rem",
      narrowWidth: "6.5rem",
      render: (delivery) => {
        const { label, tone } = deliveryLabel(delivery);
        return <StatusPill tone={tone}>{label}</StatusPill>;
      },
    },
    {
      key: "response",
      header: "Response",
      width: "7rem",
      hideBelow: "sm",
      align: "right",
      render: ({ response_status: status }) => status ?? "–",
    },
    {
      key: "attempts",
      header: "Attempts",
      width: "7rem",
      hideBelow: "md",
      align: "right",
      render: ({ attempts }) => attempts.toLocaleString("en"),
    },
    {
      key: "time",
      header: "Time",
      width: "8rem",
      narrowWidth: "5.5rem",
      render: ({ created_at: time }) => <TimeAgo time={time} />,
    },
  ];
}

function NoDeliveries({ onClear }: { onClear: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={IconSend}
      title={onClear ? "No matching deliveries" : "No deliveries yet"}
      actions={
        onClear && (
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        )
      }
    >
      {onClear
        ? "Deliveries are kept for 30 days."
        : "Events appear here when they are sent. Send a test event to try it."}
    </EmptyState>
  );
}
