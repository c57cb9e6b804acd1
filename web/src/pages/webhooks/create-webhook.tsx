import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookSecret } from "./webhook-secret.tsx";
import { type Webhook, webhooksKey } from "./webhooks.ts";

interface CreateWebhookProps {
  readonly opened: boolean;
  onClose(): void;
}

/** The dialog, and then the secret, which is shown once. Ends on the page of the new webhook. */
export function CreateWebhook({ opened, onClose }: CreateWebhookProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ webhook: Webhook; secret: string }>();
  return (
    <>
      <FormDialog opened={opened && !created} onClose={onClose} title="Create webhook" closeOnClickOutside={false}>
        {opened && (
          <WebhookForm
            initial={{ name: "", url: "", format: "json", events: ["server.unhealthy", "server.healthy"] }}
            action="Create webhook"
            onClose={onClose}
            submit={async (values) => {
              const { data, secret } = await api.createWebhook({ body: values });
              setCreated({ webhook: data, secret: secret ?? "" });
              await queries.invalidateQueries({ queryKey: webhooksKey });
            }}
          />
        )}
      </FormDialog>
      <WebhookSecret
        name={created?.webhook.name ?? ""}
        secret={created?.secret}
        onClose={() => {
          const { id = "" } = created?.webhook ?? {};
          setCreated(undefined);
          void navigate({ to: "/webhooks/$id", params: { id } });
        }}
      />
    </>
  );
}
