import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { useWebhookChanges } from "./webhook-changes.ts";
import { WebhookSecret } from "./webhook-secret.tsx";
import { eventsQuery, eventTitle, type Webhook } from "./webhooks.ts";

const route = getRouteApi("/webhooks/$id");

export function WebhookSettings({ webhook }: { webhook: Webhook }) {
  const { data: events } = useQuery(eventsQuery(useApi()));
  const { changes } = useRights();
  return (
    <>
      <Section title="Details">
        <KeyValues
          items={[
            ["URL", <span key="url">{webhook.url}</span>],
            ["Format", webhook.format === "slack" ? "Slack" : "JSON"],
            ["Events", webhook.events.map((type) => eventTitle(events, type)).join(", ")],
            ["Created by", webhook.created_by],
            ["Created", <TimeAgo key="created" time={webhook.created_at} />],
          ]}
        />
      </Section>
      <Secret webhook={webhook} />
      {changes && <Danger webhook={webhook} />}
    </>
  );
}

function Secret({ webhook }: { webhook: Webhook }) {
  const { changes } = useRights();
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const [secret, setSecret] = useState<string>();
  const { previous_secret_expires_at: expires } = webhook;
  const open = (what: "secret" | undefined) => void navigate({ search: (old) => ({ ...old, edit: what }) });
  return (
    <Section
      title="Signing secret"
      description={
        expires === null ? (
          "Stored encrypted and shown only once. If you lost it, rotate it."
        ) : (
          <>
            Requests are also signed with the old secret, which expires <TimeAgo time={expires} />.
          </>
        )
      }
      actions={
        changes && (
          <Button variant="default" onClick={() => open("secret")}>
            Rotate secret
          </Button>
        )
      }
    >
      <RotateSecret
        webhook={webhook}
        opened={edit === "secret" && changes}
        onClose={() => open(undefined)}
        onRotated={setSecret}
      />
      <WebhookSecret name={webhook.name} secret={secret} onClose={() => setSecret(undefined)} />
    </Section>
  );
}

function Danger({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  const { setEnabled } = useWebhookChanges(webhook);
  return (
    <>
      {webhook.enabled && (
        <Section
          title="Disable webhook"
          description="New events are not sent, and pending ones wait until you enable it again."
          actions={
            <Button variant="default" loading={setEnabled.isPending} onClick={() => setEnabled.mutate(false)}>
              Disable webhook
            </Button>
          }
        />
      )}
      <Section
        danger
        title="Delete webhook"
        description="Events are no longer sent, and the delivery log is deleted. This cannot be undone."
        actions={
          <Button color="red" variant="outline" onClick={deleting.open}>
            Delete webhook…
          </Button>
        }
      />
      <DeleteWebhook
        webhook={webhook}
        opened={isDeleting}
        onClose={deleting.close}
        onDeleted={() => navigate({ to: "/webhooks" })}
      />
    </>
  );
}
