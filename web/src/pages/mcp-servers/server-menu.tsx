import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconArchive, IconEye, IconRefresh } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { describeFailure } from "../../components/failure.ts";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { type Server, serversKey } from "./servers.ts";

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

function useServerChanges({ slug, name }: Server) {
  const api = useApi();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: serversKey });
  const onError = (error: unknown) => {
    const { title, detail } = describeFailure(error);
    notifications.show({ color: "red", title, message: detail });
  };
  const sync = useMutation({
    mutationFn: () => api.syncMcpServer({ path: { slug } }),
    onSuccess: async ({ data }) => {
      const failed = data.sync_error !== null;
      const message = failed ? data.sync_error : `${data.tools_count} tools are enabled.`;
      notifications.show({
        ...(failed ? { color: "red" } : {}),
        title: failed ? `${name} could not be read` : `${name} was read`,
        message,
      });
      await onSuccess();
    },
    onError,
  });
  const setStatus = useMutation({
    mutationFn: (status: Server["status"]) => api.updateMcpServer({ query: { slug }, body: { status } }),
    onSuccess,
    onError,
  });
  const remove = useMutation({ mutationFn: () => api.deleteMcpServer({ query: { slug } }), onSuccess });
  return { sync, setStatus, remove };
}
