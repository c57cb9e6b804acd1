import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { type AuthType, serversKey } from "../mcp-servers/servers.ts";
import { type AddableConnector, connectorsKey } from "./connectors.ts";

interface Choices {
  readonly name?: string;
  readonly authType?: AuthType;
}

/** Creates a server from a connector and opens its page, which shows missing settings. */
export function useAddConnector() {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (connector: AddableConnector, { name, authType }: Choices) => {
    const { data } = await api.createMcpServer({
      body: {
        name: name ?? connector.name,
        connector_id: connector.id,
        ...(authType === undefined ? {} : { auth_settings: { authType } }),
      },
    });
    await Promise.all([serversKey, connectorsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    await navigate({ to: "/mcp-servers/$slug", params: { slug: data.slug } });
  };
}
