import { Button, Modal, Group as Row, Stack, Text } from "@mantine/core";
import { CopyField } from "../../components/copy-field.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

export interface Invited {
  readonly name: string;
  readonly url: string;
  readonly expiresAt: string;
  /** Where the link is also sent by email. */
  readonly emailedTo: string | null;
}

/** Shows an invitation link once. Creating another link revokes it. */
export function InviteLink({ invited, onClose }: { invited: Invited | null; onClose: () => void }) {
  return (
    <Modal
      opened={invited !== null}
      onClose={onClose}
      title={`Invitation link for ${invited?.name ?? ""}`}
      closeOnClickOutside={false}
    >
      {invited && (
        <Stack gap="md">
          <Text size="sm">
            {invited.emailedTo === null
              ? `Send this link to ${invited.name} through a private channel. `
              : `The link is being emailed to ${invited.emailedTo}. You can also send it through a private channel. `}
            The first person to open it sets the password for this account.
          </Text>
          <CopyField value={invited.url} label="invitation link" />
          <Text size="sm" c="dimmed">
            The link works once and expires <TimeAgo time={invited.expiresAt} />. A new link replaces it.
          </Text>
          <Row justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Row>
        </Stack>
      )}
    </Modal>
  );
}
