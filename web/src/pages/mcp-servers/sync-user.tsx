import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "../../api/context.tsx";
import { type Detail, serversKey } from "./servers.ts";

interface SyncUserProps {
  readonly server: Detail;
  /** The e-mail; empty: nobody was chosen. */
  readonly value: string;
  onChange(email: string): void;
  readonly error?: ReactNode;
}

/** With whose connection the server's tools are read: one of those who are connected. */
export function SyncUser({ server: { slug }, value, onChange, error }: SyncUserProps) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...serversKey, "connections", slug, "picker"],
    queryFn: ({ signal }) => api.listMcpServerConnections({ path: { slug }, query: { limit: 200 }, signal }),
  });
  const connected = (data?.data ?? []).flatMap(({ status, user_email: email }) =>
    status === "connected" ? [email] : [],
  );
  const isNobody = data !== undefined && connected.length === 0;
  return (
    <Select
      label="Read its tools as"
      description={
        isNobody
          ? "Nobody is connected yet. Its tools are read when somebody connects."
          : "Every now and then its tools are read with this user's connection."
      }
      placeholder="Whoever connected or called last"
      // Somebody whose connection ended is still who was chosen.
      data={value === "" || connected.includes(value) ? connected : [value, ...connected]}
      value={value === "" ? null : value}
      onChange={(email) => onChange(email ?? "")}
      error={error}
      nothingFoundMessage="Nobody like that is connected"
      disabled={isNobody && value === ""}
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Choose nobody" }}
    />
  );
}
