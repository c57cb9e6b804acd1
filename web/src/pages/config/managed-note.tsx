import { Box, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Locked, rightsOf, useApi, useMe, useRights } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Note } from "../../components/note.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

interface ManagedProps {
  readonly kind: string;
  readonly name: string;
}

/** The object's entry if `gatehouse apply` manages it. */
function useManaged({ kind, name }: ManagedProps) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["managed-objects"],
    queryFn: async ({ signal }) => (await api.listManagedObjects({ signal })).data,
    retry: false,
    enabled: rightsOf(useMe()).administers,
  });
  return data?.find((object) => object.kind === kind && object.key.toLowerCase() === name.toLowerCase());
}

interface ManagedFields extends ManagedProps {
  /** Omitted: all. */
  readonly fields?: readonly string[];
}

function useLocked({ fields, ...object }: ManagedFields): boolean {
  const managed = useManaged(object);
  return managed !== undefined && (fields?.some((name) => managed.fields.includes(name)) ?? true);
}

/** Whether the person can change something that no file declares. */
export function useMayChange(object: ManagedFields): boolean {
  const isLocked = useLocked(object);
  return useRights().changes && !isLocked;
}

/** What files manage is read-only here. With `fields`, only if the files declare one of them. */
export function ManagedArea({ children, ...object }: ManagedFields & { children: ReactNode }) {
  return <Locked isLocked={useLocked(object)}>{children}</Locked>;
}

/** Shown on the page of an object that `gatehouse apply` manages, with the way out. */
export function ManagedNote({ kind, name }: ManagedProps) {
  const managed = useManaged({ kind, name });
  const { changes } = rightsOf(useMe());
  const [isAsking, asking] = useDisclosure();
  if (!managed) return null;
  const declared = managed.fields.filter((field) => field !== "name" && field !== "slug");
  return (
    <Box mb="sm">
      <Note tone="info">
        Managed by files, applied <TimeAgo time={managed.applied_at} /> by {managed.applied_by}
        {declared.length > 0 && `: ${declared.join(", ")}`}. To change it, change the files and run{" "}
        <code>gatehouse apply</code>.
        {changes && (
          <Button size="compact-sm" variant="default" mt="xs" display="block" onClick={asking.open}>
            Release from files…
          </Button>
        )}
      </Note>
      <ReleaseDialog kind={kind} name={managed.key} opened={isAsking} onClose={asking.close} />
    </Box>
  );
}

function ReleaseDialog({ kind, name, opened, onClose }: ManagedProps & { opened: boolean; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const release = useMutation({
    mutationFn: () => api.releaseFromFiles({ body: { kind, key: name } }),
    onSuccess: async () => {
      onClose();
      notifyDone(`Released ${name} from files`);
      await queries.invalidateQueries({ queryKey: ["managed-objects"] });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={`Release ${name} from files?`}
      action="Release"
      isWorking={release.isPending}
      error={release.error}
      onConfirm={() => release.mutate()}
      onClose={onClose}
    >
      You can make changes here again. If files still declare it, the next <code>gatehouse apply</code> overwrites these
      changes and manages it again.
    </ConfirmDialog>
  );
}
