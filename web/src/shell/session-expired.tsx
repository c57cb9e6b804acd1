import { Button, Group, Modal, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { withBasePath } from "../api/base-path.ts";
import { meQuery, signInUrl, useApi, useSession } from "../api/context.tsx";

/** Over the page, not instead of it: what somebody typed is still there when they come back. */
export function SessionExpired() {
  const api = useApi();
  const session = useSession();
  const queries = useQueryClient();
  const goOn = async () => {
    const now = await queries.fetchQuery({ ...meQuery(api), staleTime: 0 }).catch(() => undefined);
    if (!now) return;
    session.resume();
    await queries.invalidateQueries();
  };
  // Back from the tab in which somebody signed in.
  useWindowEvent("focus", () => void (session.isOver && goOn()));
  return (
    <Modal
      opened={session.isOver}
      onClose={() => void goOn()}
      title="Your session has ended"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text size="sm">
        Sign in again to go on. To keep what you typed on this page, sign in in another tab, then come back here.
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" component="a" href={withBasePath("/sign-in")} target="_blank">
          Sign in in a new tab
        </Button>
        <Button variant="default" onClick={() => void goOn()}>
          I am signed in again
        </Button>
        <Button component="a" href={signInUrl()}>
          Sign in
        </Button>
      </Group>
    </Modal>
  );
}
