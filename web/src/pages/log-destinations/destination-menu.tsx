import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { useDestinationChanges } from "./destination-changes.ts";
import { EditDestination } from "./edit-destination.tsx";
import { destinationsKey, type LogDestination } from "./log-destinations.ts";

export function DestinationMenu({ destination }: { destination: LogDestination }) {
  const [isEditing, editing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  const { test, setEnabled } = useDestinationChanges(destination);
  const api = useApi();
  const queries = useQueryClient();
  const { id, name, enabled } = destination;
  const remove = useMutation({
    mutationFn: () => api.deleteLogDestination({ query: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: destinationsKey }),
  });
  return (
    <>
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={editing.open}>
          Edit…
        </Menu.Item>
        <Menu.Item leftSection={<IconSend size={16} />} onClick={() => test.mutate()}>
          Send test record
        </Menu.Item>
        <Menu.Item
          leftSection={enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={() => setEnabled.mutate(!enabled)}
        >
          {enabled ? "Pause" : "Resume"}
        </Menu.Item>
        <Menu.Divider />
        <DangerItem onClick={deleting.open}>Delete…</DangerItem>
      </RowMenu>
      <EditDestination destination={destination} opened={isEditing} onClose={editing.close} />
      <ConfirmByName
        opened={isDeleting}
        title={`Delete log destination ${name}?`}
        name={name}
        action="Delete log destination"
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={deleting.close}
      >
        Records that wait are not sent, and the position in the logs is deleted. To stop for a while, pause it instead.
      </ConfirmByName>
    </>
  );
}
