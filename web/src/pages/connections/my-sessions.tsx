import { IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { allRows, DataTable } from "../../components/data-table.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { Section } from "../../components/section.tsx";
import { browserName } from "../users/browser-name.ts";
import { SESSION_COLUMNS, type Session } from "../users/session-columns.tsx";

const sessionsKey = ["my-sessions"] as const;

/** The browsers in which I am signed in. This one is left by the menu, like every app. */
export function MySessions() {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await api.listMySessions({ signal })).data,
  });
  const end = useMutation({
    mutationFn: (id: string) => api.endMySessions({ query: { id } }),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
  const list = {
    ...allRows(query.data ?? []),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  const signOut = ({ id, current, user_agent: agent }: Session) =>
    !current && (
      <RowAction
        icon={IconX}
        label={`Sign out ${browserName(agent)}`}
        isWorking={end.isPending && end.variables === id}
        onClick={() => end.mutate(id)}
      />
    );
  return (
    <Section title="Web sessions" description="Sign out of browsers that you do not recognize.">
      <DataTable
        label="Web sessions"
        list={list}
        columns={SESSION_COLUMNS}
        rowKey={({ id }) => id}
        rowMenu={signOut}
        empty={null}
      />
    </Section>
  );
}
