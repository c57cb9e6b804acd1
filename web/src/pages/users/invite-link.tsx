import { Button, Modal, Group as Row, Stack, Text } from "@mantine/core";
import { CopyField } from "../../components/copy-field.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

export interface Invited {
  readonly name: string;
  readonly url: string;
  readonly expiresAt: string;
}

/** The link is shown this once; who loses it makes another, which voids it. */
export function InviteLink({ invited, onClose }: { invited: Invited | null; onClose: () => void }) {
  return (
    <Modal
      opened={invited !== null}
      onClose={onClose}
      title={`Invitation for ${invited?.name ?? ""}`}
      closeOnClickOutside={false}
    >
      {invited && (
        <Stack gap="md">
          <Text size="sm">
            Send this link to {invited.name} over a channel that only they read. Whoever opens it first chooses the
            password and is that person from then on.
          </Text>
          <CopyField value={invited.url} label="invitation link" />
          <Text size="sm" c="dimmed">
            It works once and ends <TimeAgo time={invited.expiresAt} />. A new invitation voids it.
          </Text>
          <Row justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Row>
        </Stack>
      )}
    </Modal>
  );
}
