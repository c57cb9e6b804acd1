import { useQuery } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { aboutQuery } from "./about.tsx";
import { SettingField } from "./setting-field.tsx";
import { changesOf, type SectionProps, valuesOf } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";

/** Why documents are advertised or not, with the URL that was contacted. */
function DocumentStatus() {
  const { data: about } = useQuery(aboutQuery(useApi()));
  if (!about) return null;
  const { advertised, tested_url: url, tested_at: at, error } = about.client_id_documents;
  if (at === null) return <Note>Not advertised: no document was read yet, and there is no URL to test.</Note>;
  return (
    <Note tone={advertised ? "quiet" : "warn"}>
      {advertised ? "Advertised" : "Not advertised"}: <code>{url}</code>{" "}
      {error === null ? "was reached" : `could not be read (${error})`} <TimeAgo time={at} />.
      {!advertised && " MCP clients register themselves instead."}
    </Note>
  );
}

export function GeneralSettings({ settings, onSaved }: SectionProps) {
  const { organization } = useMe();
  return (
    <SettingsForm
      initial={valuesOf(settings, [
        "help_contact",
        "access_requests",
        "allow_plugin_hooks",
        "discovery_skill_texts",
        "client_id_documents",
      ])}
      changes={(values) => changesOf(settings, values)}
      onSaved={onSaved}
    >
      {(form) => (
        <>
          <Section title="Organization" description="Set with ORG_NAME when Gatehouse starts.">
            <KeyValues items={[["Name", organization.name]]} />
          </Section>
          <Section title="Help" description="Shown to people when a connection or a page does not work.">
            <SettingField name="help_contact" form={form} placeholder="it-help@example.com" />
          </Section>
          <Section title="Access" description="What members can do to get access to more servers.">
            <SettingField name="access_requests" form={form} />
          </Section>
          <Section title="Plugins" description="What plugins can do on the computers of people who install them.">
            <SettingField name="allow_plugin_hooks" form={form} />
          </Section>
          <Section title="AI discovery" description="What Gatehouse stores about the devices of people.">
            <SettingField name="discovery_skill_texts" form={form} />
          </Section>
          <Section title="MCP clients" description="How MCP clients of people identify themselves when they connect.">
            <div className="gh-setting-list">
              <SettingField name="client_id_documents" form={form} />
              {form.values.client_id_documents === "auto" && settings.client_id_documents === "auto" && (
                <DocumentStatus />
              )}
            </div>
          </Section>
        </>
      )}
    </SettingsForm>
  );
}
