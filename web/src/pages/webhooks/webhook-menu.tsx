import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend } from "@tabler/icons-react";
import { LinkItem } from "../../components/links.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { useWebhookChanges } from "./webhook-changes.ts";
import type { Webhook } from "./webhooks.ts";

export function WebhookMenu({ webhook }: { webhook: Webhook }) {
  const [isDeleting, deleting] = useDisclosure();
  const { test, setEnabled } = useWebhookChanges(webhook);
  return (
    <>
      <RowMenu label={`Actions for ${webhook.name}`}>
        <Menu.Item leftSection={<IconSend size={16} />} onClick={() => test.mutate()}>
          Send test event
        </Menu.Item>
        <LinkItem
          to="/webhooks/$id"
          params={{ id: webhook.id }}
          search={{ edit: "webhook" }}
          leftSection={<IconPencil size={16} />}
        >
          Edit
        </LinkItem>
        <Menu.Item
          leftSection={webhook.enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={() => setEnabled.mutate(!webhook.enabled)}
        >
          {webhook.enabled ? "Disable" : "Enable"}
        </Menu.Item>
        <Menu.Divider />
        <DangerItem onClick={deleting.open}>Delete…</DangerItem>
      </RowMenu>
      <DeleteWebhook webhook={webhook} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
