import { Switch } from "@mantine/core";
import { SETTINGS } from "#openapi/constants";
import { useMe } from "../../api/context.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { defaultAndRange, type SectionProps } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";
import { signInChanges, signInErrors, signInField, signInValues } from "./sign-in-values.ts";
import { SsoFields } from "./sso-fields.tsx";

export function SignInSettings({ settings, onSaved }: SectionProps) {
  const { data } = useMe();
  const isOwner = data.scopes.includes("all");
  const { sso } = settings;
  return (
    <SettingsForm
      initial={signInValues(settings)}
      validate={signInErrors}
      fieldOf={signInField}
      changes={(values) => signInChanges(settings, values)}
      confirmation={(values) => (sso && !values.sso ? removal(sso.issuer) : undefined)}
      onSaved={onSaved}
    >
      {(form) => (
        <fieldset className="gh-plain-fieldset" disabled={!isOwner}>
          {!isOwner && <Note>Only an owner can change how people sign in.</Note>}
          <Section title="Passwords">
            <Switch
              label={SETTINGS.local_sign_in.label}
              description={`${SETTINGS.local_sign_in.hint} ${defaultAndRange("local_sign_in")}`}
              labelPosition="left"
              className="gh-setting-switch"
              {...form.getInputProps("local_sign_in", { type: "checkbox" })}
            />
          </Section>
          <Section title="Single sign-on">
            <SsoFields form={form} hasSecret={sso?.has_client_secret ?? false} isSaved={sso !== null} />
          </Section>
          <Section title="Sessions" description="Session lifetimes are fixed.">
            <KeyValues
              items={[
                ["Signed-in browsers", "Expire after 12 hours without use, and after 7 days"],
                ["MCP clients", "Expire after 30 days without use"],
              ]}
            />
          </Section>
        </fieldset>
      )}
    </SettingsForm>
  );
}

function removal(issuer: string) {
  return {
    title: "Remove single sign-on?",
    name: "remove",
    action: "Remove single sign-on",
    text: `People can no longer sign in with ${issuer}. People without a password need a new invitation.`,
  };
}
