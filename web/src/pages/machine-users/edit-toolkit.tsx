import { Select, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { clearButton } from "../../components/clear-button.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { toolkitsKey } from "../toolkits/toolkits.ts";
import { type User, usersKey } from "../users/users.ts";

const MOST_TOOLKITS = 200;

/** Saves immediately. */
export function EditToolkit({ user }: { user: User }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [...toolkitsKey, "of-organization"],
    queryFn: ({ signal }) =>
      api.listToolkits({ query: { owner: "none", fields: "slug,name,status", limit: MOST_TOOLKITS }, signal }),
  });
  const bind = useMutation({
    mutationFn: (toolkit: string | null) => api.updateUser({ query: { email: user.email }, body: { toolkit } }),
    onSuccess: async () => {
      notifyDone();
      await queries.invalidateQueries({ queryKey: usersKey });
    },
  });
  const bound = user.toolkit ?? null;
  const toolkits = (data?.data ?? []).map(({ slug = "", name = "" }) => ({ value: slug, label: name }));
  const isKnown = bound === null || toolkits.some(({ value }) => value === bound);
  const isActive = data?.data.find(({ slug }) => slug === bound)?.status === "active";
  return (
    <Section
      title="Toolkit"
      description="A machine user that is bound to a toolkit gets only its tools, with every URL of the gateway."
    >
      <Stack gap="sm" maw="24rem">
        <Select
          aria-label="Toolkit"
          placeholder="Not bound to a toolkit"
          data={isKnown ? toolkits : [...toolkits, { value: bound, label: bound }]}
          value={bound}
          disabled={!changes || bind.isPending}
          onChange={(slug) => bind.mutate(slug)}
          clearable
          searchable
          clearButtonProps={clearButton("Remove the toolkit")}
        />
        {bound !== null && data && !isActive && (
          <Note tone="warn">The toolkit is not active, so this machine user has no access.</Note>
        )}
        <ErrorNote error={bind.error} />
      </Stack>
    </Section>
  );
}
