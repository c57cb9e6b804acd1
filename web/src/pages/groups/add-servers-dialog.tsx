import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { useSearchResults } from "../../api/find.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { type Pickable, PickMany } from "../../components/pick.tsx";
import { fetchServerNames, serversKey } from "../mcp-servers/servers.ts";
import { AddForm } from "./add-form.tsx";
import type { Group } from "./groups.ts";
import { useMembership } from "./membership.ts";

interface AddDialogProps {
  readonly group: Group;
  readonly opened: boolean;
  onClose(): void;
}

export function AddServersDialog({ group, opened, onClose }: AddDialogProps) {
  const { addServers } = useMembership();
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Add servers to ${group.name}`}>
      {opened && (
        <AddForm
          noun="server"
          submit={(slugs) => addServers(group.name, slugs)}
          onClose={onClose}
          pick={(picking) => <PickServers group={group.name} {...picking} />}
        />
      )}
    </FormDialog>
  );
}

const MOST = 20;

interface PickServersProps {
  /** Servers of this group are omitted. */
  readonly group: string;
  readonly picked: readonly Pickable[];
  onPick(picked: readonly Pickable[]): void;
}

function PickServers({ group, ...props }: PickServersProps) {
  const api = useApi();
  const { data: present } = useQuery({
    queryKey: [...serversKey, "of-group", group],
    queryFn: () => fetchServerNames(api, { group }),
  });
  const [search, setSearch] = useState("");
  const { rows, isLoading } = useSearchResults<Pickable>([...serversKey, "found"], search, async (text, signal) => {
    const { data } = await api.listMcpServers({ query: { search: text, limit: MOST, fields: "slug,name" }, signal });
    return data.map(({ slug = "", name = "" }) => ({ value: slug, label: name, description: slug }));
  });
  return (
    <PickMany
      {...props}
      label="MCP servers"
      placeholder="Search by name"
      options={rows.filter(({ value }) => !present?.has(value))}
      isLoading={isLoading}
      search={search}
      onSearch={setSearch}
      autoFocus
    />
  );
}
