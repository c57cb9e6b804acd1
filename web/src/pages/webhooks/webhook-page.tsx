import { Button, Skeleton } from "@mantine/core";
import { IconPencil, IconSend, IconWebhook } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { VerifyRequests } from "./verify-requests.tsx";
import { useWebhookChanges } from "./webhook-changes.ts";
import { WebhookDeliveries } from "./webhook-deliveries.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookSettings } from "./webhook-settings.tsx";
import { type EventType, type Webhook, webhookState, webhooksKey } from "./webhooks.ts";
import "./webhooks.css";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";

const route = getRouteApi("/webhooks/$id");
const PARENT = { label: "Webhooks", to: "/webhooks" };

export function WebhookPage() {
  const api = useApi();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...webhooksKey, "one", id],
    queryFn: async ({ signal }) => (await api.getWebhook({ path: { id }, signal })).data,
    refetchInterval: 15_000,
  });
  if (data) return <WebhookDetail webhook={data} />;
  if (error instanceof ApiError && error.status === 404) return <WebhookNotFound />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} title="Webhook" />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function WebhookDetail({ webhook }: { webhook: Webhook }) {
  const { changes } = useRights();
  const { tab = "deliveries", edit } = route.useSearch();
  const navigate = route.useNavigate();
  const { test } = useWebhookChanges(webhook);
  const { label, tone } = webhookState(webhook);
  const openEdit = (what: "webhook" | undefined) => void navigate({ search: (old) => ({ ...old, edit: what }) });
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={webhook.name}
        aside={<StatusPill tone={tone}>{label}</StatusPill>}
        description={<span className="gh-truncate">{webhook.url}</span>}
        actions={
          changes && (
            <>
              <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => openEdit("webhook")}>
                Edit
              </Button>
              <Button leftSection={<IconSend size={16} />} loading={test.isPending} onClick={() => test.mutate()}>
                Send test event
              </Button>
            </>
          )
        }
      />
      <Disabled webhook={webhook} />
      <ManagedNote kind="webhooks" name={webhook.name} />
      <UrlTabs
        label="Webhook"
        value={tab}
        tabs={[
          { value: "deliveries", label: "Deliveries" },
          { value: "verify", label: "Verify requests" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "deliveries" && <WebhookDeliveries webhook={webhook} />}
      {tab === "verify" && <VerifyRequests webhook={webhook} />}
      {tab === "settings" && (
        <ManagedArea kind="webhooks" name={webhook.name}>
          <WebhookSettings webhook={webhook} />
        </ManagedArea>
      )}
      <EditWebhook webhook={webhook} opened={edit === "webhook" && changes} onClose={() => openEdit(undefined)} />
    </>
  );
}

/** Why events are not sent, and how to continue. */
function Disabled({ webhook }: { webhook: Webhook }) {
  const { changes } = useRights();
  const { setEnabled } = useWebhookChanges(webhook);
  const { enabled, disabled_reason: reason, disabled_at: at } = webhook;
  if (enabled) return null;
  const text =
    reason === null
      ? "This webhook is disabled. New events are not sent, and pending ones wait."
      : reason === "gone"
        ? "The receiver responded with status 410 (Gone), so this webhook was disabled. Check the URL, then enable it."
        : "No request succeeded for 5 days, so this webhook was disabled. Check the receiver, send a test event, then enable it.";
  return (
    <div className="gh-webhook-notice">
      <Note tone={reason === null ? "quiet" : "bad"}>
        {text}
        {at !== null && (
          <>
            {" Disabled "}
            <TimeAgo time={at} />.
          </>
        )}
        {changes && (
          <Button
            size="compact-sm"
            variant="default"
            mt="xs"
            display="block"
            loading={setEnabled.isPending}
            onClick={() => setEnabled.mutate(true)}
          >
            Enable webhook
          </Button>
        )}
      </Note>
    </div>
  );
}

interface EditWebhookProps {
  readonly webhook: Webhook;
  readonly opened: boolean;
  onClose(): void;
}

function EditWebhook({ webhook, opened, onClose }: EditWebhookProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { id, name, url, format, events } = webhook;
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Edit ${name}`} closeOnClickOutside={false}>
      {opened && (
        <WebhookForm
          // The API stores only events that the form knows.
          initial={{ name, url, format, events: events as EventType[] }}
          action="Save changes"
          onClose={onClose}
          submit={async (body) => {
            await api.updateWebhook({ query: { id }, body });
            await queries.invalidateQueries({ queryKey: webhooksKey });
            onClose();
            notifyDone();
          }}
        />
      )}
    </FormDialog>
  );
}

function WebhookNotFound() {
  return (
    <EmptyState
      isPage
      icon={IconWebhook}
      title="Webhook not found"
      actions={
        <LinkButton to="/webhooks" variant="default">
          All webhooks
        </LinkButton>
      }
    >
      <title>Webhook not found · Gatehouse</title>
      It may have been deleted.
    </EmptyState>
  );
}
