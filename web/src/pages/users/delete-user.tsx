import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { groupsKey } from "../groups/groups.ts";
import { issuedConsequence } from "./set-disabled.tsx";
import { type User, usersKey } from "./users.ts";

interface DeleteUserProps {
  readonly user: User;
  readonly opened: boolean;
  onClose(): void;
  onDeleted?(): Promise<void>;
}

export function DeleteUser({ user, opened, onClose, onDeleted }: DeleteUserProps) {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteUser({ query: { email: user.email } }),
    onSuccess: async () => {
      // Drops the cached list, so that it does not briefly show the deleted user.
      if (onDeleted) queries.removeQueries({ queryKey: [...usersKey, "list"] });
      await onDeleted?.();
      await Promise.all([usersKey, groupsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const isMachine = user.slug !== undefined;
  return (
    <ConfirmByName
      opened={opened}
      title={`Delete ${user.name}?`}
      name={user.slug ?? user.email}
      action={isMachine ? "Delete machine user" : "Delete user"}
      isWorking={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isMachine
        ? "Its access key stops working immediately, and its group memberships and connections are deleted. Its calls stay in the logs. To block it temporarily, disable it instead."
        : `The user is signed out everywhere, and their group memberships and connections are deleted. ${issuedConsequence(user.role)}Their machine users and logged calls are kept. To block a user temporarily, disable them instead.`}
    </ConfirmByName>
  );
}
