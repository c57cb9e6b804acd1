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
import { useSecretsKept } from "./secrets-kept.ts";
import "./machine-users.css";

/** WEB-8: nobody leaves a secret on a screen by accident. */
const SHOWN_MS = 30_000;
const MASK = "••••••••";

type Use = "show" | "copy";

/** The secret, masked until somebody proves who they are; copied without ever being shown. */
export function MachineSecret({ user }: { user: Pick<User, "email" | "name"> }) {
  const [shown, setShown] = useState<string | null>(null);
  const { copy, copied, error: copyError } = useClipboard({ timeout: 1500 });
  const { reveal, proofFor, setProofFor } = useReveal(user.email, { show: setShown, copy });
  const areKept = useSecretsKept();
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  useEffect(() => {
    if (copyError) notifyFailure(new Error("The browser did not allow it. Reveal the secret and copy it by hand."));
  }, [copyError]);
  if (!areKept) {
    return (
      <Tooltip label="Secrets are not kept here. Rotate it to get a new one.">
        <span className="gh-dim">Not kept</span>
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
      <Tooltip label={copied ? "Copied" : "Copy without showing it"}>
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
        opened={proofFor !== null}
        reason={`Revealing the secret of ${user.name} is written to the audit log.`}
        onClose={() => setProofFor(null)}
        onConfirmed={() => {
          if (proofFor !== null) reveal.mutate(proofFor);
          setProofFor(null);
        }}
      />
    </span>
  );
}

/** The secret goes where it is wanted, and stays in no cache. */
function useReveal(email: string, uses: Readonly<Record<Use, (secret: string) => void>>) {
  const api = useApi();
  const queries = useQueryClient();
  const [proofFor, setProofFor] = useState<Use | null>(null);
  const reveal = useMutation({
    mutationFn: async (use: Use) => {
      const { credentials } = await api.revealUserSecret({ query: { email } });
      if (credentials) uses[use](credentials.secret);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: revealedKey }),
    onError: (error, use) => (asksForProof(error) ? setProofFor(use) : notifyFailure(error)),
  });
  return { reveal, proofFor, setProofFor };
}

/** Who signed in more than five minutes ago proves again who they are. */
function asksForProof(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.message.startsWith("Fresh authentication required");
}
