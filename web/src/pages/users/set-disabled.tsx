import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { accessKey } from "../access/access.ts";
import { type User, usersKey } from "./users.ts";

export function disableConsequence({ slug }: Pick<User, "slug">): string {
  return slug === undefined
    ? "The user is signed out and their MCP clients are disconnected. Group memberships and connections are kept."
    : "Its access key stops working immediately. Group memberships and connections are kept.";
}

interface SetDisabledProps {
  readonly user: Pick<User, "email" | "name" | "slug" | "disabled">;
  readonly opened: boolean;
  onClose(): void;
}

/** Confirms and disables a user, or enables a disabled one. */
export function SetDisabled({ user, opened, onClose }: SetDisabledProps) {
  const { email, name, slug, disabled } = user;
  const api = useApi();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => api.updateUser({ query: { email }, body: { disabled: !disabled } }),
    onSuccess: async () => {
      onClose();
      notifyDone(`${disabled ? "Enabled" : "Disabled"} ${name}`);
      await Promise.all([usersKey, accessKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const verb = disabled ? "Enable" : "Disable";
  return (
    <ConfirmDialog
      opened={opened}
      title={`${verb} ${name}?`}
      action={`${verb} ${slug === undefined ? "user" : "machine user"}`}
      isDestructive={!disabled}
      isWorking={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      {disabled
        ? "The groups and connections from before take effect again."
        : `${disableConsequence(user)} You can enable it again at any time.`}
    </ConfirmDialog>
  );
}
