import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { groupsKey } from "../groups/groups.ts";
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
      // The list that is gone back to must not show them for a moment more.
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
      action={isMachine ? "Delete machine user" : "Delete person"}
      isWorking={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isMachine
        ? "Its key stops working at once, and its groups and connections are forgotten. Its calls stay in the log. To shut it out for a while, disable it instead."
        : "They are signed out everywhere, and their groups and connections are forgotten. Machine users that they own stay, and their calls stay in the log. To shut somebody out for a while, disable them instead."}
    </ConfirmByName>
  );
}
