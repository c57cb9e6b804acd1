import { Button, Group as Row, Select, Stack } from "@mantine/core";
import { type Icon, IconX } from "@tabler/icons-react";
import { type QueryKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { notifyDone, notifyFailure } from "../../components/notify.tsx";
import { RowAction } from "../../components/row-action.tsx";
import type { RowLink } from "../../components/row-main.tsx";
import type { Group } from "./groups.ts";

/** How many records the list of records to add holds. */
const MOST_TO_ADD = 200;

interface GroupHeader {
  readonly "x-service-group": string;
}

interface ItemsPage<Item> {
  readonly data: readonly Item[];
  readonly pagination: Schemas["CursorPagination"];
}

interface GroupItemsProps<Item> {
  readonly group: Group;
  /** "skill" */
  readonly kind: string;
  readonly icon: Icon;
  readonly queryKey: QueryKey;
  readonly columns: ReadonlyArray<Column<Item>>;
  rowLink(item: Item): RowLink;
  /** What members get from these records. */
  readonly empty: string;
  /** The records of the group. */
  list(cursor: number, headers: GroupHeader, signal: AbortSignal): Promise<ItemsPage<Item>>;
  /** All records that can be in groups. */
  all(limit: number, signal: AbortSignal): Promise<readonly Candidate[]>;
  add(slug: string): Promise<unknown>;
  remove(slug: string): Promise<unknown>;
}

/** The API omits fields that were not asked for. */
interface Candidate {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly groups?: readonly string[] | undefined;
}

interface Linkable {
  readonly slug: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** A tab of a group's page: toolkits, skills or commands that its members can use. */
export function GroupItems<Item extends Linkable>(props: GroupItemsProps<Item>) {
  const { group, kind, icon, queryKey, columns, rowLink, empty } = props;
  const { changes } = useRights();
  const remove = useLink(props, props.remove);
  const pages = usePages([...queryKey, "of-group", group.name], (cursor, signal) =>
    props.list(cursor, { "x-service-group": group.name }, signal),
  );
  const plural = `${kind}s`;
  return (
    <Stack gap="md">
      {changes && <AddItem {...props} />}
      <DataTable
        label={capitalized(plural)}
        list={pages}
        columns={columns}
        rowKey={({ slug }) => slug}
        rowLink={rowLink}
        {...(changes
          ? {
              rowMenu: ({ slug, name }: Item) => (
                <RowAction
                  icon={IconX}
                  label={`Remove ${name} from ${group.name}`}
                  isWorking={remove.isPending && remove.variables === slug}
                  onClick={() => remove.mutate(slug)}
                />
              ),
            }
          : {})}
        empty={
          <EmptyState icon={icon} title={`No ${plural} yet`}>
            {empty}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useLink({ queryKey }: { readonly queryKey: QueryKey }, change: (slug: string) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      notifyDone("Saved");
      await queries.invalidateQueries({ queryKey });
    },
    onError: notifyFailure,
  });
}

function AddItem<Item extends Linkable>(props: GroupItemsProps<Item>) {
  const { group, kind, queryKey, all } = props;
  const add = useLink(props, props.add);
  const [picked, setPicked] = useState<string | null>(null);
  const { data = [] } = useQuery({
    queryKey: [...queryKey, "of-organization", "with-groups"],
    queryFn: ({ signal }) => all(MOST_TO_ADD, signal),
  });
  const others = data.filter(({ groups = [] }) => !groups.includes(group.name));
  return (
    <Row gap="xs" align="flex-end">
      <Select
        aria-label={`${capitalized(kind)} to add`}
        placeholder={`Add a ${kind}`}
        data={others.map(({ slug = "", name = "" }) => ({ value: slug, label: name }))}
        value={picked}
        onChange={setPicked}
        searchable
        nothingFoundMessage={`No other ${kind}s`}
      />
      <Button
        variant="default"
        disabled={picked === null}
        loading={add.isPending}
        onClick={() => picked !== null && add.mutate(picked, { onSuccess: () => setPicked(null) })}
      >
        Add
      </Button>
    </Row>
  );
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
