import { useQuery } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { aboutQuery } from "./about.tsx";
import { SettingField } from "./setting-field.tsx";
import { changesOf, rangeErrors, type SectionProps, type SettingName, valuesOf } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";

const DISCOVERY: readonly SettingName[] = [
  "discovery_scan_minutes",
  "discovery_retention_days",
  "discovery_skill_texts",
];

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
        ...DISCOVERY,
        "client_id_documents",
      ])}
      validate={rangeErrors}
      changes={(values) => changesOf(settings, values)}
      onSaved={onSaved}
    >
      {(form) => (
        <>
          <Section
            title="Organization"
            description={
              <>
                The operator sets the name with the environment variable <code>ORG_NAME</code>.
              </>
            }
          >
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
          <Section
            title="AI discovery"
            description="How often devices are scanned, and what Gatehouse stores about them."
          >
            <div className="gh-setting-list">
              {DISCOVERY.map((name) => (
                <SettingField key={name} name={name} form={form} />
              ))}
            </div>
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
