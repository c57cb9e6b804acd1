import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { MarkedLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useScrollToCurrent } from "../../components/scroll-to-current.ts";
import { NotFound } from "../../shell/not-found.tsx";
import { About } from "./about.tsx";
import { EmailSettings } from "./email-settings.tsx";
import { GeneralSettings } from "./general-settings.tsx";
import { KeySettings } from "./key-settings.tsx";
import { LimitSettings } from "./limit-settings.tsx";
import { LogSettings } from "./log-settings.tsx";
import { ProvisioningSettings } from "./provisioning.tsx";
import { SECTIONS, type SectionPart } from "./sections.ts";
import { type SectionProps, settingsQuery } from "./settings.ts";
import { SignInSettings } from "./sign-in-settings.tsx";
import "./settings.css";
import { ManagedNote } from "../config/managed-note.tsx";

const COMPONENTS: Readonly<Record<SectionPart, (props: SectionProps) => ReactNode>> = {
  general: GeneralSettings,
  "sign-in": SignInSettings,
  provisioning: ProvisioningSettings,
  email: EmailSettings,
  limits: LimitSettings,
  logs: LogSettings,
  keys: KeySettings,
  about: About,
};

export function SettingsPage() {
  const { part = SECTIONS[0].part } = useParams({ strict: false });
  const section = SECTIONS.find((known) => known.part === part);
  return section ? <SettingsSection part={section.part} /> : <NotFound />;
}

function SettingsSection({ part }: { part: SectionPart }) {
  const query = useQuery(settingsQuery(useApi()));
  // Forms keep their values while the settings are fetched again, and start over after saving.
  const [saves, setSaves] = useState(0);
  const Component = COMPONENTS[part];
  return (
    <>
      <PageHeader title="Settings" description="Settings of this organization. Changes take effect immediately." />
      <ManagedNote kind="settings" name="organization" />
      <div className="gh-settings">
        <SectionList part={part} />
        <div>
          {query.isPending && <Loading />}
          {query.error && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
          {query.data && (
            <Component key={`${part} ${saves}`} settings={query.data} onSaved={() => setSaves((count) => count + 1)} />
          )}
        </div>
      </div>
    </>
  );
}

function SectionList({ part }: { part: SectionPart }) {
  const bar = useScrollToCurrent(part);
  return (
    <nav ref={bar} aria-label="Settings sections" className="gh-settings-sections gh-scrolls-sideways">
      {SECTIONS.map((section, index) => (
        <MarkedLink
          key={section.part}
          to={index === 0 ? "/settings" : "/settings/$part"}
          params={{ part: section.part }}
          isCurrent={section.part === part}
        >
          {section.label}
        </MarkedLink>
      ))}
    </nav>
  );
}

function Loading() {
  return (
    <Stack gap="md" aria-busy>
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} height={32} maw={480} />
      ))}
    </Stack>
  );
}
