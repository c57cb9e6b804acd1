import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";

/** Marks users and groups that the identity provider manages. */
export function ScimPill() {
  return <StatusPill tone="info">SCIM</StatusPill>;
}

interface ScimManagedProps {
  readonly name: string;
  readonly target: { readonly emails: string[] } | { readonly groups: string[] };
  /** What the provider manages. */
  readonly children: string;
}

/** In place of actions that the identity provider has taken over, with a way out if the provider is gone. */
export function ScimManaged({ name, target, children }: ScimManagedProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [isAsking, asking] = useDisclosure();
  const detach = useMutation({
    mutationFn: () => api.detachFromScim({ body: { ...target } }),
    onSuccess: async () => {
      asking.close();
      notifyDone(`Detached ${name} from SCIM`);
      await queries.invalidateQueries();
    },
  });
  return (
    <Section
      title="Managed by SCIM"
      description={children}
      actions={
        <Button variant="default" onClick={asking.open}>
          Detach from SCIM…
        </Button>
      }
    >
      <ConfirmDialog
        opened={isAsking}
        title={`Detach ${name} from SCIM?`}
        action="Detach"
        isWorking={detach.isPending}
        error={detach.error}
        onConfirm={() => detach.mutate()}
        onClose={asking.close}
      >
        Detach if your identity provider no longer manages it. Nothing is deleted, and you can make changes here again.
        If the provider still sends requests, its next change manages it again.
      </ConfirmDialog>
    </Section>
  );
}
