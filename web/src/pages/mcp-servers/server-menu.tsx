import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconEye, IconRefresh } from "@tabler/icons-react";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Server } from "./servers.ts";

export function ServerMenu({ server }: { server: Server }) {
  const { slug, name, status } = server;
  const [isDeleting, deleting] = useDisclosure();
  const { sync, setStatus, remove } = useServerChanges(server);
  const other = status === "active" ? "draft" : "active";
  return (
    <>
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => sync.mutate()}>
          Sync tools
        </Menu.Item>
        <Menu.Item
          leftSection={other === "draft" ? <IconArchive size={16} /> : <IconEye size={16} />}
          onClick={() => setStatus.mutate(other)}
        >
          {other === "draft" ? "Set to draft" : "Activate"}
        </Menu.Item>
        <Menu.Divider />
        <DangerItem onClick={deleting.open}>Delete…</DangerItem>
      </RowMenu>
      <ConfirmByName
        opened={isDeleting}
        title={`Delete ${name}?`}
        name={slug}
        action="Delete server"
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={deleting.close}
      >
        Its tools are removed from the gateway immediately, and all users are disconnected. Its calls stay in the logs.
        To hide it temporarily, set it to draft instead.
      </ConfirmByName>
    </>
  );
}
