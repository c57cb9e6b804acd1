import { Stack, Switch } from "@mantine/core";
import { useState } from "react";
import { SETTINGS } from "#openapi/constants";
import { useMe, useRights } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { HelpContact } from "./help-contact.tsx";
import { useSaveSettings } from "./number-settings.tsx";
import type { Settings } from "./settings.ts";
import { SsoForm } from "./sso-form.tsx";

export function SignInSettings({ settings }: { settings: Settings }) {
  const { data } = useMe();
  const isOwner = data.scopes.includes("all");
  return (
    <>
      {!isOwner && <Note>Only an owner can change how people sign in.</Note>}
      <Section title="Passwords">
        <LocalSignIn settings={settings} isOwner={isOwner} />
      </Section>
      <Section
        title="Single sign-on"
        description="People sign in with your identity provider over OpenID Connect: Okta, Entra ID, Google, Keycloak, and others."
      >
        <SsoForm key={settings.sso?.issuer ?? ""} sso={settings.sso} isOwner={isOwner} />
      </Section>
      <Section title="Help" description="Shown to people when a connection or a page does not work.">
        <HelpContact settings={settings} key={settings.help_contact} />
      </Section>
      <Section title="Machine users' secrets">
        <Reveal settings={settings} />
      </Section>
    </>
  );
}

function LocalSignIn({ settings, isOwner }: { settings: Settings; isOwner: boolean }) {
  const save = useSaveSettings();
  return (
    <Stack gap="sm">
      <Switch
        label={SETTINGS.local_sign_in.label}
        description={SETTINGS.local_sign_in.hint}
        checked={settings.local_sign_in}
        disabled={!isOwner || save.isPending}
        onChange={(event) => save.mutate({ local_sign_in: event.currentTarget.checked })}
      />
      <ErrorNote error={save.error} />
    </Stack>
  );
}

/** Turning it off deletes the sealed copies, so it asks for confirmation. */
function Reveal({ settings }: { settings: Settings }) {
  const { changes } = useRights();
  const [isAsking, setAsking] = useState(false);
  const save = useSaveSettings(() => setAsking(false));
  return (
    <Stack gap="sm">
      <Switch
        label={SETTINGS.machine_secret_reveal.label}
        description={SETTINGS.machine_secret_reveal.hint}
        checked={settings.machine_secret_reveal}
        disabled={!changes || save.isPending}
        onChange={(event) =>
          event.currentTarget.checked ? save.mutate({ machine_secret_reveal: true }) : setAsking(true)
        }
      />
      {!isAsking && <ErrorNote error={save.error} />}
      <ConfirmByName
        opened={isAsking}
        title="Show secrets only once?"
        name="delete copies"
        action="Delete copies"
        isWorking={save.isPending}
        error={save.error}
        onConfirm={() => save.mutate({ machine_secret_reveal: false })}
        onClose={() => setAsking(false)}
      >
        The stored copies of all machine user secrets are deleted. The secrets keep working, but a lost secret must be
        rotated.
      </ConfirmByName>
    </Stack>
  );
}
