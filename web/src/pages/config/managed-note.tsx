import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { Note } from "../../components/note.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

/** Shown on the page of an object that `gatehouse apply` manages, because the next run overwrites changes made here. */
export function ManagedNote({ kind, name }: { kind: string; name: string }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["managed-objects"],
    queryFn: async ({ signal }) => (await api.listManagedObjects({ signal })).data,
    retry: false,
  });
  const managed = data?.find((object) => object.kind === kind && object.key.toLowerCase() === name.toLowerCase());
  if (!managed) return null;
  return (
    <Note tone="info">
      Managed by files, applied <TimeAgo time={managed.applied_at} /> by {managed.applied_by}. Change the files instead:{" "}
      <code>gatehouse apply</code> overwrites changes that are made here.
    </Note>
  );
}
