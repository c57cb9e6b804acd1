import { Select } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { guardsKey } from "./guards.ts";

interface PickCallProps {
  readonly direction: "request" | "response";
  /** The arguments or the result of the call, as JSON. */
  onPick(text: string): void;
}

/** Fills the test with the payload of a recent call. Reading it is recorded in the audit log. */
export function PickCall({ direction, onPick }: PickCallProps) {
  const api = useApi();
  const { data: me } = useMe();
  const mayRead = me.scopes.some((scope) => scope === "all" || scope === "logs:payloads");
  const { data: calls } = useQuery({
    queryKey: [...guardsKey, "recent-calls"],
    queryFn: async ({ signal }) => (await api.listLogs({ query: { kind: "calls", limit: 20 }, signal })).data,
    enabled: mayRead,
  });
  const pick = useMutation({
    mutationFn: async (id: string) => {
      const { payload } = (await api.getLog({ path: { id }, query: { include_payload: true } })).data;
      const text = textOf(payload?.[direction].text ?? null, direction);
      if (text === undefined) throw new Error("The payload of this call is not stored. Choose another call.");
      onPick(text);
    },
  });
  if (!mayRead || !calls || calls.length === 0) return null;
  return (
    <>
      <Select
        label="Logged call"
        description="Fills in its payload, if it is stored. Viewing it is recorded in the audit log."
        placeholder="Pick a recent call"
        searchable
        data={calls.map(({ id, ts, server_slug, tool, method, user_email }) => ({
          value: id,
          label: `${server_slug ?? ""} ${tool ?? method}, ${user_email}, ${new Date(ts).toLocaleString("en")}`,
        }))}
        onChange={(id) => id !== null && pick.mutate(id)}
        disabled={pick.isPending}
      />
      <ErrorNote error={pick.error} />
    </>
  );
}

/** The part of a stored message that guards examine. */
function textOf(text: string | null, direction: "request" | "response"): string | undefined {
  if (text === null) return undefined;
  try {
    const message = JSON.parse(text);
    const part = direction === "request" ? message?.params?.arguments : (message?.result ?? message?.error);
    return part === undefined ? undefined : JSON.stringify(part, null, 2);
  } catch {
    return undefined;
  }
}
