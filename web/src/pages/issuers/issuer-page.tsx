import { Group, Switch } from "@mantine/core";
import { IconCertificate } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useSavedForm } from "../../components/saved-form.ts";
import { Section } from "../../components/section.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { DeleteSection } from "../records/delete-section.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
import { IssuerCredentials } from "./issuer-credentials.tsx";
import { IssuerFields } from "./issuer-form.tsx";
import { IssuerTest } from "./issuer-test.tsx";
import { bodyOf, formField, problemsOf, valuesOf } from "./issuer-values.ts";
import { type Issuer, issuerQuery, issuersKey } from "./issuers.ts";
import { OwnersOnly, useCanTrust } from "./owners-only.tsx";
import { useSaveIssuer } from "./save-issuer.ts";

const route = getRouteApi("/issuers/$slug");
const PARENT = { label: "Trusted issuers", to: "/issuers" };

export function IssuerPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const query = useQuery(issuerQuery(api, slug));
  return (
    <RecordPage query={query} slug={slug} parent={PARENT} icon={IconCertificate} kind="Trusted issuer">
      {(issuer) => (
        <ManagedArea kind="issuers" name={issuer.slug} key={issuer.slug}>
          <IssuerDetail issuer={issuer} />
        </ManagedArea>
      )}
    </RecordPage>
  );
}

function IssuerDetail({ issuer }: { issuer: Issuer }) {
  const { tab = "settings" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={issuer.name}
        description={<span className="gh-truncate">{issuer.issuer}</span>}
        actions={<Activation issuer={issuer} />}
      />
      {issuer.subject.mode === "fixed" && issuer.conditions.length === 0 && (
        <Note tone="warn">
          Every token of this issuer for these audiences acts as the machine user. Add conditions.
        </Note>
      )}
      <ManagedNote kind="issuers" name={issuer.slug} />
      <UrlTabs
        label="Trusted issuer"
        value={tab}
        tabs={[
          { value: "settings", label: "Settings" },
          { value: "test", label: "Test" },
          { value: "credentials", label: `Credentials ${issuer.active_credentials}` },
        ]}
      />
      {tab === "settings" && <Settings issuer={issuer} />}
      {tab === "test" && <IssuerTest issuer={issuer} />}
      {tab === "credentials" && <IssuerCredentials issuer={issuer} />}
    </>
  );
}

function Activation({ issuer }: { issuer: Issuer }) {
  const { changes } = useRights();
  const canTrust = useCanTrust()(issuer.subject);
  const save = useSaveIssuer(issuer.slug);
  return (
    <Group gap="sm">
      <Switch
        label={issuer.enabled ? "Enabled" : "Disabled"}
        aria-label={`Enable ${issuer.name}`}
        checked={issuer.enabled}
        disabled={!changes || (!issuer.enabled && !canTrust) || save.isPending}
        onChange={(event) => save.mutate({ enabled: event.currentTarget.checked })}
      />
      <ErrorNote error={save.error} />
    </Group>
  );
}

function Settings({ issuer }: { issuer: Issuer }) {
  const { changes } = useRights();
  const save = useSaveIssuer(issuer.slug);
  const form = useSavedForm({
    saved: valuesOf(issuer),
    fieldOf: formField,
    validate: problemsOf,
    submit: (values) => save.mutateAsync(bodyOf(values, issuer)),
  });
  return (
    <>
      <Section
        title="Accepted tokens"
        description="Changing the issuer, keys, audiences, conditions, or user ends all credentials that were issued."
      >
        <OwnersOnly issuer={issuer}>
          <SettingsFields form={form}>
            <IssuerFields form={form.form} />
          </SettingsFields>
        </OwnersOnly>
      </Section>
      {changes && <Danger issuer={issuer} />}
    </>
  );
}

function Danger({ issuer: { slug, name } }: { issuer: Issuer }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <DeleteSection
      kind="issuer"
      name={name}
      slug={slug}
      description="Its tokens are no longer accepted, and all credentials that were issued end."
      remove={() => api.deleteExchangeProvider({ query: { slug } })}
      onDeleted={async () => {
        await navigate({ to: "/issuers", replace: true });
        await queries.invalidateQueries({ queryKey: [...issuersKey, "list"] });
      }}
    >
      To stop it for a while, disable it instead.
    </DeleteSection>
  );
}
