import { Button, Group, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import type { Schemas } from "../../api/client.ts";
import { useMe, useRights } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { type ServerForm, useServerForm } from "../../components/server-form.ts";
import { AUTH_CHOICES } from "./choices.ts";
import { DiscoverOAuth } from "./discover-oauth.tsx";
import { HowToEditor } from "./how-to-editor.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";

type AuthForm = ServerForm<ReturnType<typeof initialOf>>;

/** What each user needs towards the upstream, and how they get it. */
export function ServerAuth({ server }: { server: Detail }) {
  const { changes } = useRights();
  const { update } = useServerChanges(server);
  const initial = initialOf(server);
  const wiring = useServerForm({
    initial,
    fieldOf: (field) => field.replace(/^auth_settings\.(client\.)?/, ""),
    submit: (values) => update({ auth_settings: bodyOf(initial, values) }),
  });
  const { form, onSubmit, isWorking, error } = wiring;
  return (
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={!changes} className="gh-fieldset">
        <Section
          title="What each user needs"
          description="Everybody brings a credential of their own. It is kept sealed, and nobody can read it again."
        >
          <Select
            aria-label="What each user needs"
            maw={460}
            data={AUTH_CHOICES.map((choice) => ({ ...choice }))}
            allowDeselect={false}
            {...form.getInputProps("authType")}
          />
        </Section>
        {form.values.authType === "proxy-oauth" && (
          <>
            <DiscoverOAuth server={server} />
            <OAuthFields wiring={wiring} hasSecret={server.auth_settings.hasClientSecret} />
          </>
        )}
        {form.values.authType === "proxy-api-key" && <KeyFields wiring={wiring} />}
        {form.values.authType !== "none" && (
          <Section title="How-to for users" description="Shown beside the form where users connect. Markdown.">
            <HowToEditor input={form.getInputProps("howtoMarkdown")} text={form.values.howtoMarkdown} />
          </Section>
        )}
        <ErrorNote error={error} />
        {changes && (
          <Group gap="xs" mt="md">
            <Button type="submit" disabled={!form.isDirty()} loading={isWorking}>
              Save
            </Button>
            {form.isDirty() && (
              <Button variant="subtle" color="gray" onClick={form.reset} disabled={isWorking}>
                Undo
              </Button>
            )}
          </Group>
        )}
      </fieldset>
    </form>
  );
}

function OAuthFields({ wiring: { form }, hasSecret }: { wiring: AuthForm; hasSecret: boolean }) {
  const { base_url: baseUrl } = useMe();
  const discovered = "Discovered unless given";
  return (
    <Section
      title="Proxy OAuth settings"
      description="Needed only where discovery or registration does not work: register a client by hand at the provider, with this redirect address."
    >
      <Stack gap="sm" maw={560}>
        <CopyField value={`${baseUrl}/oauth/callback`} label="redirect address" />
        <TextInput
          label="Client id"
          placeholder="We register ourselves unless given"
          spellCheck={false}
          {...form.getInputProps("clientId")}
        />
        <PasswordInput
          label="Client secret"
          description={hasSecret ? "One is kept. Type another to replace it." : "Kept sealed, never shown again."}
          placeholder={hasSecret ? "••••••••" : ""}
          autoComplete="off"
          {...form.getInputProps("clientSecret")}
        />
        <TextInput
          label="Scopes"
          placeholder="As the server asks"
          spellCheck={false}
          {...form.getInputProps("scope")}
        />
        <TextInput label="Authorization address" placeholder={discovered} {...form.getInputProps("authUrl")} />
        <TextInput label="Token address" placeholder={discovered} {...form.getInputProps("tokenUrl")} />
        <TextInput label="Registration address" placeholder={discovered} {...form.getInputProps("registrationUrl")} />
        <TextInput label="Issuer" placeholder={discovered} {...form.getInputProps("issuer")} />
        <TextInput label="Resource" placeholder="The server's address" {...form.getInputProps("resource")} />
      </Stack>
    </Section>
  );
}

function KeyFields({ wiring: { form } }: { wiring: AuthForm }) {
  return (
    <Section title="How the key goes to the server" description="In this header of each request.">
      <Group gap="sm" align="flex-start">
        <TextInput
          label="Header"
          placeholder="Authorization"
          spellCheck={false}
          {...form.getInputProps("headerName")}
        />
        <TextInput
          label="Text before the key"
          placeholder="Nothing"
          spellCheck={false}
          {...form.getInputProps("headerPrefix")}
        />
      </Group>
    </Section>
  );
}

function initialOf({ auth_settings: kept }: Detail) {
  return {
    authType: kept.authType as string, // a choice of the form is text until it is sent
    clientId: kept.clientId ?? "",
    clientSecret: "",
    scope: kept.client?.scope ?? "",
    authUrl: kept.authUrl ?? "",
    tokenUrl: kept.tokenUrl ?? "",
    registrationUrl: kept.registrationUrl ?? "",
    issuer: kept.issuer ?? "",
    resource: kept.resource ?? "",
    headerName: kept.headerName ?? "",
    headerPrefix: kept.headerPrefix ?? "Bearer ",
    howtoMarkdown: kept.howtoMarkdown ?? "",
  };
}

type AuthValues = ReturnType<typeof initialOf>;

/** Only what was changed; an emptied field is cleared (D6). A prefix may end in a space, so it is sent as it is. */
function bodyOf(before: AuthValues, { authType, scope, ...texts }: AuthValues): Schemas["AuthSettings"] {
  const changed = Object.entries(texts).filter(([name, value]) => value !== before[name as keyof typeof texts]); // its own names
  const type = AUTH_CHOICES.find(({ value }) => value === authType)?.value;
  return {
    ...(authType === before.authType ? {} : { authType: type }),
    ...(scope === before.scope ? {} : { client: { scope: orNull(scope) } }),
    ...Object.fromEntries(changed.map(([name, value]) => [name, name === "headerPrefix" ? value : orNull(value)])),
  };
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
