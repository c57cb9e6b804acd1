import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMail, IconRestore } from "@tabler/icons-react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useCanManage } from "./can-manage.ts";
import { useInvite } from "./invite.ts";
import type { Invited } from "./invite-link.tsx";
import type { User } from "./users.ts";

interface InviteUserProps {
  readonly user: User;
  onInvited(invited: Invited): void;
}

/** Accepting another invitation resets an account that is in use, so only owners can create it (decision 0056). */
function useInviteAction({ user, onInvited }: InviteUserProps) {
  const { canManage, isOwner } = useCanManage(user);
  const [isAsking, asking] = useDisclosure();
  const isReset = (user.sign_in_methods ?? []).length > 0;
  const invite = useInvite(user, (invited) => {
    asking.close();
    onInvited(invited);
  });
  return {
    isOffered: canManage && (!isReset || isOwner),
    label: isReset ? "Reset account…" : "Create invitation link",
    icon: isReset ? <IconRestore size={16} /> : <IconMail size={16} />,
    start: isReset ? asking.open : () => invite.mutate(),
    isWorking: invite.isPending && !isReset,
    dialog: (
      <ConfirmDialog
        opened={isAsking}
        title={`Reset the account of ${user.name}?`}
        action="Create invitation link"
        isDestructive
        isWorking={invite.isPending}
        error={null}
        onConfirm={() => invite.mutate()}
        onClose={asking.close}
      >
        This creates a new invitation link. When the link is used, Gatehouse deletes the connections, web sessions, MCP
        clients, and API tokens of {user.name}, and the password is replaced. Until then, nothing changes. {user.name}{" "}
        sees a notice about the reset.
      </ConfirmDialog>
    ),
  };
}

export function InviteButton(props: InviteUserProps) {
  const { isOffered, label, icon, start, isWorking, dialog } = useInviteAction(props);
  if (!isOffered || props.user.disabled) return null;
  return (
    <>
      <Button variant="default" leftSection={icon} loading={isWorking} onClick={start}>
        {label}
      </Button>
      {dialog}
    </>
  );
}

/** The item of a row menu. The dialog is separate, because the menu closes. */
export function useInviteItem(props: InviteUserProps) {
  const { isOffered, label, icon, start, dialog } = useInviteAction(props);
  return {
    dialog,
    item: isOffered && (
      <Menu.Item leftSection={icon} disabled={props.user.disabled} onClick={start}>
        {label}
      </Menu.Item>
    ),
  };
}
