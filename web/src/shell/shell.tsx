import { AppShell, Drawer, Skeleton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { ApiError } from "../api/client.ts";
import { MeProvider, meQuery, signInUrl, useApi, useRights } from "../api/context.tsx";
import { ErrorState } from "../components/error-state.tsx";
import { AccountNotice } from "./account-notice.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { Nav } from "./nav.tsx";
import { AdminsOnly } from "./not-found.tsx";
import { useOpenPage } from "./pages-for.ts";
import { SessionExpired } from "./session-expired.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { TopBar } from "./top-bar.tsx";
import "./shell.css";

const loadPalette = () => import("./command-palette.tsx").then((module) => ({ default: module.CommandPalette }));
const CommandPalette = lazy(loadPalette);

/** The frame of the app. Loads the signed-in user before it shows anything else. */
export function Shell() {
  const api = useApi();
  const { data: me, error, refetch } = useQuery(meQuery(api));
  if (me) {
    return (
      <MeProvider me={me}>
        <Frame />
        <SessionExpired />
      </MeProvider>
    );
  }
  if (error instanceof ApiError && error.status === 401) return <GoSignIn />;
  if (error) {
    return (
      <>
        <ConnectionBanner />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  return <FrameSkeleton />;
}

function GoSignIn() {
  window.location.replace(signInUrl());
  return <FrameSkeleton />;
}

function Frame() {
  const [isNavOpen, nav] = useDisclosure();
  const [areShortcutsOpen, shortcuts] = useDisclosure();
  const [palette, setPalette] = useState<"never" | "open" | "closed">("never");
  // Loaded while the page is idle, so that the first typed letters are not lost.
  useEffect(() => void setTimeout(() => void loadPalette().catch(() => undefined), 1500), []);
  useHotkeys([
    ["mod+K", () => setPalette("open")],
    ["shift+?", shortcuts.open],
  ]);
  return (
    <AppShell
      layout="alt"
      padding={0}
      header={{ height: 52 }}
      navbar={{ width: 224, breakpoint: "sm", collapsed: { mobile: true } }}
    >
      <a href="#main" className="gh-skip">
        Skip to content
      </a>
      <AppShell.Navbar className="gh-side">
        <Nav />
      </AppShell.Navbar>
      <AppShell.Header className="gh-header">
        <TopBar
          isNavOpen={isNavOpen}
          onToggleNav={nav.toggle}
          onSearch={() => setPalette("open")}
          onShortcuts={shortcuts.open}
        />
      </AppShell.Header>
      <AppShell.Main>
        <ConnectionBanner />
        <AccountNotice />
        <div id="main" className="gh-main" tabIndex={-1}>
          <OpenPage />
        </div>
      </AppShell.Main>
      <Drawer opened={isNavOpen} onClose={nav.close} position="left" size={272} padding={0} withCloseButton={false}>
        <Nav onLeave={nav.close} />
      </Drawer>
      <Shortcuts opened={areShortcutsOpen} onClose={shortcuts.close} />
      {palette !== "never" && (
        <Suspense>
          <CommandPalette opened={palette === "open"} onClose={() => setPalette("closed")} />
        </Suspense>
      )}
    </AppShell>
  );
}

/** Members start on their connections; the home page is for administrators. */
function OpenPage() {
  const { administers } = useRights();
  const { audience, path } = useOpenPage();
  if (administers || audience === "everyone") return <Outlet />;
  return path === "/" ? <Navigate to="/connections" replace /> : <AdminsOnly />;
}

function FrameSkeleton() {
  return (
    <div className="gh-frame-skeleton" aria-busy="true" role="status" aria-label="Loading">
      <Skeleton width={160} height={20} />
      <Skeleton width={240} height={28} mt={64} />
      <Skeleton height={360} mt={24} />
    </div>
  );
}
