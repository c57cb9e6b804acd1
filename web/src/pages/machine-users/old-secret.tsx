import { Button, Group as Row } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type User, usersKey } from "../users/users.ts";

interface OldSecretProps {
  readonly user: Pick<User, "email" | "name">;
  readonly expiresAt: string;
}

/** Shown during a rotation's overlap. Clients must switch to the new secret before the old one expires. */
export function OldSecret({ user, expiresAt }: OldSecretProps) {
  const { changes } = useRights();
  const api = useApi();
  const queries = useQueryClient();
  const [isAsking, asking] = useDisclosure();
  const revoke = useMutation({
    mutationFn: () => api.revokeOldSecret({ query: { email: user.email } }),
    onSuccess: async () => {
      asking.close();
      notifyDone("Revoked the old secret");
      await queries.invalidateQueries({ queryKey: usersKey });
    },
  });
  return (
    <Row gap="xs">
      <StatusPill tone="warn">
        Valid, expires <TimeAgo time={expiresAt} />
      </StatusPill>
      {changes && (
        <Button variant="default" size="compact-xs" onClick={asking.open}>
          Revoke old secret now…
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={`Revoke the old secret of ${user.name}?`}
        action="Revoke old secret"
        isDestructive
        isWorking={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
        onClose={asking.close}
      >
        Clients that still use the old secret are rejected immediately. The new secret stays valid.
      </ConfirmDialog>
    </Row>
  );
}
