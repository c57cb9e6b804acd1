import { ActionIcon, Button, Modal, Group as Row, Stack, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy, IconEye } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { useCopy } from "../../components/use-copy.ts";
import type { User } from "../users/users.ts";
import { ConfirmIdentity } from "./confirm-identity.tsx";
import { revealedKey } from "./last-revealed.tsx";
import { useSecretRevealEnabled } from "./secret-reveal.ts";
import "./machine-users.css";

/** WEB-8: a revealed secret hides automatically. */
const SHOWN_MS = 30_000;
const MASK = "••••••••";

type Use = "show" | "copy";

/** A masked secret. Revealing or copying it requires recent authentication. */
export function MachineSecret({ user }: { user: Pick<User, "email" | "name"> }) {
  const [shown, setShown] = useState<string | null>(null);
  const { copy, copied } = useCopy();
  const { reveal, confirmingFor, setConfirmingFor } = useReveal(user.email, { show: setShown, copy });
  const canReveal = useSecretRevealEnabled();
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!canReveal) {
    return (
      <Tooltip label="Revealing secrets is turned off. Rotate the secret to get a new one.">
        <span className="gh-dim">Not stored</span>
      </Tooltip>
    );
  }
  return (
    <span className="gh-secret">
      <code>{MASK}</code>
      <Tooltip label="Reveal">
        <ActionIcon
          size="sm"
          aria-label={`Reveal the secret of ${user.name}`}
          loading={reveal.isPending && reveal.variables === "show"}
          onClick={() => reveal.mutate("show")}
        >
          <IconEye size={15} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={copied ? "Copied" : "Copy without revealing"}>
        <ActionIcon
          size="sm"
          aria-label={copied ? "Copied" : `Copy the secret of ${user.name}`}
          loading={reveal.isPending && reveal.variables === "copy"}
          onClick={() => reveal.mutate("copy")}
        >
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={`Secret of ${user.name}`} size="lg">
        <Stack gap="md">
          <CopyField value={shown ?? ""} label="secret" multiline />
          <Text size="sm" c="dimmed">
            Hides after 30 seconds. Revealing the secret was recorded in the audit log.
          </Text>
          <Row justify="flex-end">
            <Button onClick={() => setShown(null)} data-autofocus>
              Hide
            </Button>
          </Row>
        </Stack>
      </Modal>
      <ConfirmIdentity
        opened={confirmingFor !== null}
        reason={`Revealing the secret of ${user.name} is recorded in the audit log.`}
        onClose={() => setConfirmingFor(null)}
        onConfirmed={() => {
          if (confirmingFor !== null) reveal.mutate(confirmingFor);
          setConfirmingFor(null);
        }}
      />
    </span>
  );
}

/** Passes the secret on without caching it. */
function useReveal(email: string, uses: Readonly<Record<Use, (secret: string) => void>>) {
  const api = useApi();
  const queries = useQueryClient();
  const [confirmingFor, setConfirmingFor] = useState<Use | null>(null);
  const reveal = useMutation({
    mutationFn: async (use: Use) => {
      const { credentials } = await api.revealUserSecret({ query: { email } });
      if (credentials) uses[use](credentials.secret);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: revealedKey }),
    onError: (error, use) => (requiresConfirmation(error) ? setConfirmingFor(use) : notifyFailure(error)),
  });
  return { reveal, confirmingFor, setConfirmingFor };
}

/** The API requires authentication within the last five minutes. */
function requiresConfirmation(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.message.startsWith("Fresh authentication required");
}
