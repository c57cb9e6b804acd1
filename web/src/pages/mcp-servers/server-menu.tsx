import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconEye, IconRefresh } from "@tabler/icons-react";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Server } from "./servers.ts";

/** What can be done with a server without opening it. */
export function ServerMenu({ server }: { server: Server }) {
  const { slug, name, status } = server;
  const [isDeleting, deleting] = useDisclosure();
  const { sync, setStatus, remove } = useServerChanges(server);
  const other = status === "active" ? "draft" : "active";
  return (
    <>
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => sync.mutate()}>
          Read its tools now
        </Menu.Item>
        <Menu.Item
          leftSection={other === "draft" ? <IconArchive size={16} /> : <IconEye size={16} />}
          onClick={() => setStatus.mutate(other)}
        >
          {other === "draft" ? "Make it a draft" : "Activate"}
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
        Its tools disappear from the gateway at once, and everybody's connections to it are forgotten. Its calls stay in
        the log. To take it away for a while, make it a draft instead.
      </ConfirmByName>
    </>
  );
}
