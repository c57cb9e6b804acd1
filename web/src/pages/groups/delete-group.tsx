import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { type Group, groupsKey } from "./groups.ts";

interface DeleteGroupProps {
  readonly group: Group;
  readonly opened: boolean;
  onClose(): void;
  onDeleted?(): Promise<void>;
}

export function DeleteGroup({ group, opened, onClose, onDeleted }: DeleteGroupProps) {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteGroup({ query: { name: group.name } }),
    onSuccess: async () => {
      // The list that is gone back to must not show it for a moment more.
      if (onDeleted) queries.removeQueries({ queryKey: [...groupsKey, "list"] });
      await onDeleted?.();
      await queries.invalidateQueries({ queryKey: groupsKey });
    },
  });
  return (
    <ConfirmByName
      opened={opened}
      title={`Delete ${group.name}?`}
      name={group.name}
      action="Delete group"
      isWorking={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {`${counted(group)} At once, members no longer reach what only this group gave them. The members and the servers themselves stay.`}
    </ConfirmByName>
  );
}

function counted({ users_count: users, integrations_count: servers }: Group): string {
  const members = users === 1 ? "1 member" : `${users} members`;
  return `It has ${members} and ${servers === 1 ? "1 server" : `${servers} servers`}.`;
}
