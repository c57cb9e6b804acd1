import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { accessKey } from "../access/access.ts";
import { type User, usersKey } from "./users.ts";

export function disableConsequence({ slug, role }: Pick<User, "slug" | "role">): string {
  return slug === undefined
    ? `The user is signed out and their MCP clients are disconnected. ${issuedConsequence(role)}Group memberships and connections are kept.`
    : "Its access key stops working immediately. Group memberships and connections are kept.";
}

/** What happens to API tokens and invitations of a person who loses their permissions (decision 0057). */
export function issuedConsequence(role: User["role"]): string {
  if (role === "owner") return "API tokens and invitations that they created are deleted. ";
  return role === "admin" ? "Invitations that they created are revoked. " : "";
}

interface SetDisabledProps {
  readonly user: Pick<User, "email" | "name" | "slug" | "role" | "disabled">;
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
