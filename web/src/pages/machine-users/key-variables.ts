import type { Schemas } from "../../api/client.ts";

/** The variable that shells and MCP clients read from the .env file of a machine user. */
export const KEY_VARIABLE = "$GATEHOUSE_ACCESS_KEY";

/** The variables of the .env file, in the form that the `gatehouse` command reads. */
export function keyVariables(
  gatewayUrl: string,
  { client_id, secret }: Pick<Schemas["Credentials"], "client_id" | "secret">,
): Readonly<Record<string, string>> {
  return { GATEHOUSE_URL: gatewayUrl, GATEHOUSE_ACCESS_KEY: `${client_id}:${secret}` };
}
