import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "../../api/context.tsx";
import { clearButton } from "../../components/clear-button.ts";
import { type Detail, serversKey } from "./servers.ts";

interface SyncUserProps {
  readonly server: Detail;
  /** An email, or empty for none. */
  readonly value: string;
  onChange(email: string): void;
  readonly error?: ReactNode;
}

/** Chooses the connected user whose account is used to sync the tools. */
export function SyncUser({ server: { slug }, value, onChange, error }: SyncUserProps) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...serversKey, "connections", slug, "picker"],
    queryFn: ({ signal }) => api.listMcpServerConnections({ path: { slug }, query: { limit: 200 }, signal }),
  });
  const connected = (data?.data ?? []).flatMap(({ status, user_email: email }) =>
    status === "connected" ? [email] : [],
  );
  const hasNoConnection = data !== undefined && connected.length === 0;
  return (
    <Select
      label="Sync tools as"
      description={
        hasNoConnection
          ? "No user is connected. Tools are synced when the first user connects."
          : "Tools are synced periodically with this user's account."
      }
      placeholder="The user who connected or called last"
      // The chosen user stays an option after disconnecting.
      data={value === "" || connected.includes(value) ? connected : [value, ...connected]}
      value={value === "" ? null : value}
      onChange={(email) => onChange(email ?? "")}
      error={error}
      nothingFoundMessage="No matching connected user"
      disabled={hasNoConnection && value === ""}
      searchable
      clearable
      clearButtonProps={clearButton("Clear user")}
    />
  );
}
