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
      // Drops the cached list, so that it does not briefly show the deleted group.
      if (onDeleted) queries.removeQueries({ queryKey: [...groupsKey, "list"] });
      await onDeleted?.();
      await queries.invalidateQueries({ queryKey: groupsKey });
    },
  });
  return (
    <ConfirmByName
      opened={opened}
      title={`Delete group ${group.name}?`}
      name={group.name}
      action="Delete group"
      isWorking={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {`${counted(group)} Members immediately lose access to servers that no other group gives them. Users and servers are kept.`}
    </ConfirmByName>
  );
}

function counted({ users_count: users, integrations_count: servers }: Group): string {
  const members = users === 1 ? "1 member" : `${users} members`;
  return `This group has ${members} and ${servers === 1 ? "1 server" : `${servers} servers`}.`;
}
