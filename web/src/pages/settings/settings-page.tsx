import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { NotFound } from "../../shell/not-found.tsx";
import { About } from "./about.tsx";
import { LimitSettings } from "./limit-settings.tsx";
import { LogSettings } from "./log-settings.tsx";
import { SETTINGS_PAGES } from "./pages.ts";
import { type Settings, settingsQuery } from "./settings.ts";
import { SignInSettings } from "./sign-in-settings.tsx";

const PARTS: Readonly<Record<string, (props: { settings: Settings }) => ReactNode>> = {
  limits: LimitSettings,
  log: LogSettings,
  "sign-in": SignInSettings,
  about: About,
};

export function SettingsPage() {
  const { part = "limits" } = useParams({ strict: false });
  const query = useQuery(settingsQuery(useApi()));
  const Part = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
  if (!Part) return <NotFound />;
  return (
    <>
      <PageHeader title="Settings" description="Settings of this organization." siblings={SETTINGS_PAGES} />
      {query.isPending && <Loading />}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Part settings={query.data} />}
    </>
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
