import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconEye, IconEyeOff } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
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
  const { copy, copied, error: copyError } = useClipboard({ timeout: 1500 });
  const { reveal, confirmingFor, setConfirmingFor } = useReveal(user.email, { show: setShown, copy });
  const canReveal = useSecretRevealEnabled();
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  useEffect(() => {
    if (copyError)
      notifyFailure(new Error("The browser blocked the clipboard. Reveal the secret and copy it manually."));
  }, [copyError]);
  if (!canReveal) {
    return (
      <Tooltip label="Revealing secrets is turned off. Rotate the secret to get a new one.">
        <span className="gh-dim">Not stored</span>
      </Tooltip>
    );
  }
  return (
    <span className="gh-secret">
      <code className="gh-truncate">{shown ?? MASK}</code>
      <Tooltip label={shown === null ? "Reveal" : "Hide"}>
        <ActionIcon
          size="sm"
          aria-label={shown === null ? `Reveal the secret of ${user.name}` : `Hide the secret of ${user.name}`}
          loading={reveal.isPending && reveal.variables === "show"}
          onClick={() => (shown === null ? reveal.mutate("show") : setShown(null))}
        >
          {shown === null ? <IconEye size={15} /> : <IconEyeOff size={15} />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label={copied ? "Copied" : "Copy without revealing"}>
        <ActionIcon
          size="sm"
          aria-label={copied ? "Copied" : `Copy the secret of ${user.name}`}
          loading={reveal.isPending && reveal.variables === "copy"}
          onClick={() => (shown === null ? reveal.mutate("copy") : copy(shown))}
        >
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
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
