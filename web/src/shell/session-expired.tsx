import { Button, Group, Modal, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { withBasePath } from "../api/base-path.ts";
import { meQuery, signInUrl, useApi, useSession } from "../api/context.tsx";

/** A dialog over the page, so that unsaved input survives signing in again. */
export function SessionExpired() {
  const api = useApi();
  const session = useSession();
  const queries = useQueryClient();
  const resume = async () => {
    const me = await queries.fetchQuery({ ...meQuery(api), staleTime: 0 }).catch(() => undefined);
    if (!me) return;
    session.resume();
    await queries.invalidateQueries();
  };
  // The user may have signed in in another tab.
  useWindowEvent("focus", () => void (session.isExpired && resume()));
  return (
    <Modal
      opened={session.isExpired}
      onClose={() => void resume()}
      title="Your session expired"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text size="sm">
        Sign in again to continue. To keep unsaved input on this page, sign in in a new tab, then return here.
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" component="a" href={withBasePath("/sign-in")} target="_blank">
          Sign in in a new tab
        </Button>
        <Button variant="default" onClick={() => void resume()}>
          I have signed in
        </Button>
        <Button component="a" href={signInUrl()}>
          Sign in
        </Button>
      </Group>
    </Modal>
  );
}
