import { Skeleton, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { useSearchResults } from "../../api/find.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { type Pickable, PickOne } from "../../components/pick.tsx";
import { formatTokens } from "../../components/quantities.ts";
import { Section } from "../../components/section.tsx";
import { bodyOf, type Entry, HIDDEN, type Toolkit, toolkitsKey } from "./toolkits.ts";

const PAUSE_MS = 300;
const MOST_USERS = 20;

/** What a user gets with the entries as they are now, saved or not. */
export function usePreview({ slug }: Toolkit, entries: readonly Entry[], email: string | undefined) {
  const api = useApi();
  const [shown] = useDebouncedValue(entries, PAUSE_MS);
  return useQuery({
    queryKey: [...toolkitsKey, "preview", slug, email, shown],
    queryFn: async ({ signal }) => {
      const body = { slug, tools: shown.map(bodyOf), ...(email === undefined ? {} : { email }) };
      return (await api.previewUnsavedToolkit({ body, signal })).data;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** "About 1,200 tokens", while the entries change. */
export function TokenEstimate({ toolkit, entries }: { toolkit: Toolkit; entries: readonly Entry[] }) {
  const { data } = usePreview(toolkit, entries, undefined);
  if (!data) return null;
  return (
    <Text span size="sm" c="dimmed" aria-live="polite">
      About {formatTokens(data.tokens_estimate)} tokens
    </Text>
  );
}

interface PreviewPanelProps {
  readonly toolkit: Toolkit;
  readonly entries: readonly Entry[];
}

export function PreviewPanel({ toolkit, entries }: PreviewPanelProps) {
  const api = useApi();
  const [user, setUser] = useState<Pickable>();
  const [search, setSearch] = useState("");
  const { rows, isLoading } = useSearchResults<Pickable>(["users", "for-preview"], search, async (text, signal) => {
    const { data } = await api.listUsers({ query: { search: text, limit: MOST_USERS }, signal });
    return data.map(({ email, name }) => ({ value: email, label: name, description: email }));
  });
  return (
    <Section
      title="Preview"
      description="What a user gets at the URL of the toolkit, with the changes that are not saved yet."
    >
      <div className="gh-builder-user">
        <PickOne
          label="User"
          placeholder="Search users"
          options={rows}
          isLoading={isLoading}
          search={search}
          onSearch={setSearch}
          picked={user}
          onPick={setUser}
        />
      </div>
      {user && <PreviewAs toolkit={toolkit} entries={entries} email={user.value} />}
    </Section>
  );
}

function PreviewAs({ toolkit, entries, email }: PreviewPanelProps & { readonly email: string }) {
  const { data, error, refetch } = usePreview(toolkit, entries, email);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={96} mt="md" />;
  return (
    <>
      <ul className="gh-builder-entries" aria-label="Tools of the user">
        {data.tools.map(({ name, description }) => (
          <li key={name}>
            <span className="gh-builder-entry">
              <code className="gh-truncate">{name}</code>
              {description !== undefined && (
                <Text span size="xs" c="dimmed" lineClamp={2}>
                  {description}
                </Text>
              )}
            </span>
          </li>
        ))}
      </ul>
      {data.tools.length === 0 && <Note tone="info">The user gets no tools.</Note>}
      {data.hidden.length > 0 && (
        <ul className="gh-builder-hidden" aria-label="Tools that the user does not get">
          {data.hidden.map(({ server, tool, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a tool can be hidden twice, under different names
            <li key={at}>
              <code>{`${server} ${tool}`}</code> {HIDDEN[reason]}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
