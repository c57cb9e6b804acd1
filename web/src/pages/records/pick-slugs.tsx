import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useRights } from "../../api/context.tsx";
import { useDraft } from "../../components/draft.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";

interface PickSlugsProps {
  /** "Skills" */
  readonly title: string;
  readonly description: string;
  readonly saved: readonly string[];
  readonly queryKey: QueryKey;
  /** The slugs that can be picked. */
  find(signal: AbortSignal): Promise<readonly string[]>;
  readonly save: {
    mutate(picked: readonly string[], options: { onSuccess(): void }): void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

/** A section that selects other records by slug. */
export function PickSlugs({ title, description, saved, queryKey, find, save }: PickSlugsProps) {
  const { changes } = useRights();
  const { value: picked, set, isEdited, finish } = useDraft(saved, save.isPending);
  const { data: known = [] } = useQuery({ queryKey, queryFn: ({ signal }) => find(signal) });
  const plural = title.toLowerCase();
  return (
    <Section title={title} description={description}>
      <Stack gap="sm" maw={560}>
        <MultiSelect
          label={title}
          data={[...new Set([...known, ...saved])]}
          value={[...picked]}
          onChange={set}
          disabled={!changes}
          searchable
          nothingFoundMessage={`No other ${plural}`}
        />
        <ErrorNote error={save.error} />
        {changes && (
          <Group>
            <Button
              onClick={() => save.mutate(picked, { onSuccess: () => finish(picked) })}
              loading={save.isPending}
              disabled={!isEdited}
            >
              {`Save ${plural}`}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
