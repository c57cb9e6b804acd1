import { Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import "./machine-users.css";

/** A machine user's own OAuth client, as it is typed. */
export interface TypedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
}

export const NO_CLIENT: TypedClient = { clientId: "", clientSecret: "", tokenUrl: "" };

export const CLIENT_WORDS =
  "For servers that ask for an OAuth sign-in: with it the machine user gets tokens by itself wherever the token address has the same origin.";

interface ClientFieldsProps {
  inputProps(field: keyof TypedClient): object;
  readonly children?: ReactNode;
}

export function ClientFields({ inputProps, children }: ClientFieldsProps) {
  return (
    <fieldset className="gh-legend-fieldset">
      <legend>Its own OAuth client</legend>
      <Text size="xs" c="dimmed">
        {children ?? CLIENT_WORDS}
      </Text>
      <TextInput label="Client id" spellCheck={false} autoComplete="off" {...inputProps("clientId")} />
      <TextInput
        label="Client secret"
        type="password"
        autoComplete="new-password"
        description="Kept sealed, and never shown again."
        {...inputProps("clientSecret")}
      />
      <TextInput
        label="Token address"
        placeholder="https://login.example.com/oauth/token"
        inputMode="url"
        spellCheck={false}
        {...inputProps("tokenUrl")}
      />
    </fieldset>
  );
}

export function trimmed({ clientId, clientSecret, tokenUrl }: TypedClient): TypedClient {
  return { clientId: clientId.trim(), clientSecret: clientSecret.trim(), tokenUrl: tokenUrl.trim() };
}
