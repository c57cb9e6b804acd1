import { Button, Group, PasswordInput, Radio, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMe, useRights } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { useSavedForm } from "../../components/saved-form.ts";
import { Section } from "../../components/section.tsx";
import type { ServerForm } from "../../components/server-form.ts";
import {
  AUTH_METHODS,
  type AuthMethod,
  authMethodOf,
  type HeaderRow,
  headersPatch,
  headersProblem,
  prefixFor,
  savedHeaders,
} from "./auth-methods.ts";
import { DiscoverOAuth } from "./discover-oauth.tsx";
import { ExchangedTokenFields } from "./exchanged-token-fields.tsx";
import { HowToEditor } from "./how-to-editor.tsx";
import { OAuthChange } from "./oauth-change.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";
import { SharedHeaders } from "./shared-headers.tsx";
import { TestConnection } from "./test-connection.tsx";
import "./server-auth.css";

type AuthForm = ServerForm<ReturnType<typeof initialOf>>;

/** How Gatehouse and its users authenticate at the server. */
export function ServerAuth({ server }: { server: Detail }) {
  const { changes } = useRights();
  const { update } = useServerChanges(server);
  const initial = initialOf(server);
  const { save, ...wiring } = useSavedForm({
    saved: initial,
    shownAfter: withoutSecrets,
    fieldOf: (field) => field.replace(/^auth_settings\.(client\.)?/, "").replace(/^sharedHeaders\..*/, "sharedHeaders"),
    validate: ({ method, sharedHeaders }) => {
      const problem = method === "shared" ? headersProblem(sharedHeaders) : undefined;
      return problem === undefined ? {} : { sharedHeaders: problem };
    },
    submit: async (values, before) => {
      await update({ auth_settings: bodyOf(before, values) });
      notifications.show({ message: "Saved" });
    },
  });
  const { form, onSubmit, isWorking, error } = wiring;
  const { method } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={!changes} className="gh-fieldset">
        <Section title="Authentication" description="How requests to this server are authenticated.">
          <MethodChoice method={method} disabled={!changes} onChange={(next) => form.setFieldValue("method", next)} />
          <Consequences server={server} method={method} />
        </Section>
        {method === "shared" && (
          <SharedHeaders
            rows={form.values.sharedHeaders}
            error={form.errors.sharedHeaders}
            onChange={(rows) => form.setFieldValue("sharedHeaders", rows)}
          />
        )}
        {method === "proxy-oauth" && (
          <>
            <OAuthChange server={server} />
            <DiscoverOAuth server={server} save={form.isDirty() ? save : undefined} />
            <OAuthFields wiring={wiring} hasSecret={server.auth_settings.hasClientSecret} />
          </>
        )}
        {method === "exchanged-token" && <ExchangedTokenFields issuer={form.getInputProps("issuer")} />}
        {method === "proxy-api-key" && <KeyFields wiring={wiring} />}
        {changes && <ConnectionTest server={server} wiring={wiring} initial={initial} />}
        {(method === "proxy-oauth" || method === "proxy-api-key") && (
          <Section title="Instructions for users" description="Shown where users connect. Markdown.">
            <HowToEditor input={form.getInputProps("howtoMarkdown")} text={form.values.howtoMarkdown} />
          </Section>
        )}
        <ErrorNote error={error} />
        {changes && (
          <Group gap="xs" mt="md">
            <Button type="submit" disabled={!form.isDirty()} loading={isWorking}>
              Save changes
            </Button>
            {form.isDirty() && (
              <Button variant="subtle" color="gray" onClick={form.reset} disabled={isWorking}>
                Discard changes
              </Button>
            )}
          </Group>
        )}
      </fieldset>
    </form>
  );
}

interface MethodChoiceProps {
  readonly method: AuthMethod;
  readonly disabled: boolean;
  onChange(method: AuthMethod): void;
}

function MethodChoice({ method, disabled, onChange }: MethodChoiceProps) {
  return (
    <Radio.Group
      aria-label="Authentication method"
      value={method}
      onChange={(value) => onChange(AUTH_METHODS.find((each) => each.value === value)?.value ?? "none")}
    >
      <div className="gh-auth-methods">
        {AUTH_METHODS.map(({ value, label, description }) => (
          <Radio.Card key={value} value={value} disabled={disabled} className="gh-auth-method">
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div>
                <Text size="sm" fw={500}>
                  {label}
                </Text>
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

/** What saving another method removes. */
function Consequences({ server, method }: { server: Detail; method: AuthMethod }) {
  const before = authMethodOf(server);
  const { connected } = server.connections;
  if (method === before) return null;
  const losesConnections = connected > 0 && method !== before;
  if (before !== "shared" && !losesConnections) return null;
  const users = connected === 1 ? "1 user" : `${connected} users`;
  return (
    <div className="gh-auth-consequence">
      <Note tone="warn">
        {before === "shared" ? "Saving deletes the shared credential." : `Saving disconnects ${users}.`}
      </Note>
    </div>
  );
}

interface ConnectionTestProps {
  readonly server: Detail;
  readonly wiring: AuthForm;
  readonly initial: AuthValues;
}

/** OAuth per user has no test: discovery shows each step, and users test their own connections. Exchanged tokens are not kept for tests. */
function ConnectionTest({ server, wiring: { form }, initial }: ConnectionTestProps) {
  const [key, setKey] = useState("");
  const { method, sharedHeaders, headerName, headerPrefix } = form.values;
  if (method === "proxy-oauth" || method === "exchanged-token") return null;
  if (method === "none") return <TestConnection key="none" server={server} body={{ sharedHeaders: null }} />;
  if (method === "shared") {
    const isComplete = headersProblem(sharedHeaders) === undefined;
    const body = isComplete
      ? {
          sharedHeaders: headersPatch(
            initial.sharedHeaders.filter(({ isSaved }) => isSaved),
            sharedHeaders,
          ),
        }
      : undefined;
    return <TestConnection key="shared" server={server} body={body} />;
  }
  const header = { headerName: headerName.trim() || "Authorization", headerPrefix };
  return (
    <TestConnection key="key" server={server} body={key.trim() === "" ? undefined : { key: key.trim(), ...header }}>
      <PasswordInput
        label="API key"
        description="Used for this test only."
        autoComplete="off"
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
    </TestConnection>
  );
}

function OAuthFields({ wiring: { form }, hasSecret }: { wiring: AuthForm; hasSecret: boolean }) {
  const { base_url: baseUrl } = useMe();
  const discovered = "Discovered if empty";
  return (
    <Section
      title="Proxy OAuth advanced settings"
      description="Needed only if discovery or registration fails. Register a client at the provider with this redirect URL."
    >
      <Stack gap="sm" maw={560}>
        <CopyField value={`${baseUrl}/oauth/callback`} label="redirect URL" />
        <TextInput
          label="Client ID"
          placeholder="Registered automatically if empty"
          spellCheck={false}
          {...form.getInputProps("clientId")}
        />
        <PasswordInput
          label="Client secret"
          description={hasSecret ? "A secret is saved. Enter another one to replace it." : "Stored encrypted."}
          placeholder={hasSecret ? "••••••••" : ""}
          autoComplete="off"
          {...form.getInputProps("clientSecret")}
        />
        <TextInput
          label="Scopes"
          placeholder="As requested by the server"
          spellCheck={false}
          {...form.getInputProps("scope")}
        />
        <TextInput label="Authorization URL" placeholder={discovered} {...form.getInputProps("authUrl")} />
        <TextInput label="Token URL" placeholder={discovered} {...form.getInputProps("tokenUrl")} />
        <TextInput label="Registration URL" placeholder={discovered} {...form.getInputProps("registrationUrl")} />
        <TextInput label="Issuer" placeholder={discovered} {...form.getInputProps("issuer")} />
        <TextInput label="Resource" placeholder="The server URL if empty" {...form.getInputProps("resource")} />
      </Stack>
    </Section>
  );
}

function KeyFields({ wiring: { form } }: { wiring: AuthForm }) {
  const { headerName, headerPrefix } = form.values;
  const changeHeader = (next: string) => {
    form.setFieldValue("headerName", next);
    form.setFieldValue("headerPrefix", prefixFor(headerPrefix, headerName, next));
  };
  return (
    <Section title="API key header" description="Gatehouse sends each user's key in this header.">
      <Group gap="sm" align="flex-start">
        <TextInput
          label="Header"
          placeholder="Authorization"
          spellCheck={false}
          {...form.getInputProps("headerName")}
          onChange={(event) => changeHeader(event.currentTarget.value)}
        />
        <TextInput label="Prefix" placeholder="None" spellCheck={false} {...form.getInputProps("headerPrefix")} />
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Example: <code>{`${headerName.trim() || "Authorization"}: ${headerPrefix}<API key>`}</code>
      </Text>
    </Section>
  );
}

function initialOf(server: Detail) {
  const { auth_settings: saved } = server;
  const headers: HeaderRow[] = savedHeaders(server);
  return {
    method: authMethodOf(server),
    sharedHeaders: headers.length > 0 ? headers : [{ name: "Authorization", value: "", isSaved: false }],
    clientId: saved.clientId ?? "",
    clientSecret: "",
    scope: saved.client?.scope ?? "",
    authUrl: saved.authUrl ?? "",
    tokenUrl: saved.tokenUrl ?? "",
    registrationUrl: saved.registrationUrl ?? "",
    issuer: saved.issuer ?? "",
    resource: saved.resource ?? "",
    headerName: saved.headerName ?? "",
    headerPrefix: saved.headerPrefix ?? "Bearer ",
    howtoMarkdown: saved.howtoMarkdown ?? "",
  };
}

type AuthValues = ReturnType<typeof initialOf>;

/** What the form shows once these values are saved. */
function withoutSecrets(values: AuthValues): AuthValues {
  const { method, sharedHeaders: rows } = values;
  const sharedHeaders = method === "shared" ? rows.map(({ name }) => ({ name, value: "", isSaved: true })) : rows;
  return { ...values, clientSecret: "", sharedHeaders };
}

/** Only changed settings. An empty field is cleared (D6). A prefix may end with a space, so it is not trimmed. */
function bodyOf(before: AuthValues, { method, scope, sharedHeaders, ...texts }: AuthValues): Schemas["AuthSettings"] {
  const changed = Object.entries(texts).filter(([name, value]) => value !== before[name as keyof typeof texts]); // its own names
  const authType = method === "shared" ? "none" : method;
  const saved = before.sharedHeaders.filter(({ isSaved }) => isSaved);
  const headers =
    method === "shared" ? headersPatch(saved, sharedHeaders) : saved.length > 0 && method === "none" ? null : undefined;
  return {
    ...(method === before.method ? {} : { authType }),
    ...(headers === undefined ? {} : { sharedHeaders: headers }),
    ...(scope === before.scope ? {} : { client: { scope: orNull(scope) } }),
    ...Object.fromEntries(changed.map(([name, value]) => [name, name === "headerPrefix" ? value : orNull(value)])),
  };
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
