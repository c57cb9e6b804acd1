import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { useSearchResults } from "../../api/find.ts";
import { type Pickable, PickMany } from "../../components/pick.tsx";
import { groupsKey } from "./groups.ts";

const MOST = 20;

interface PickGroupsProps {
  readonly label: string;
  readonly description?: string;
  readonly picked: readonly Pickable[];
  onPick(picked: readonly Pickable[]): void;
  readonly autoFocus?: boolean;
  /** Names of groups to omit. */
  readonly exclude?: readonly string[];
}

/** Picks several groups, by name. */
export function PickGroups({ exclude = [], ...props }: PickGroupsProps) {
  const api = useApi();
  const [search, setSearch] = useState("");
  const { rows, isLoading } = useSearchResults<Pickable>([...groupsKey, "found"], search, async (text, signal) => {
    const { data } = await api.listGroups({ query: { search: text, limit: MOST }, signal });
    return data.map(({ name }) => ({ value: name, label: name }));
  });
  return (
    <PickMany
      {...props}
      placeholder="Search groups"
      options={rows.filter(({ value }) => !exclude.includes(value))}
      isLoading={isLoading}
      search={search}
      onSearch={setSearch}
    />
  );
}
