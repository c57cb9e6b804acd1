import { IconLock, IconMapSearch } from "@tabler/icons-react";
import { EmptyState } from "../components/empty-state.tsx";
import { LinkButton } from "../components/links.tsx";

export function NotFound() {
  return (
    <EmptyState isPage icon={IconMapSearch} title="Page not found" actions={<GoHome />}>
      <title>Not found · Gatehouse</title>
      The URL may be mistyped, or the page was renamed or deleted.
    </EmptyState>
  );
}

export function AdminsOnly() {
  return (
    <EmptyState isPage icon={IconLock} title="This page is for administrators" actions={<GoHome />}>
      <title>Administrators only · Gatehouse</title>
      Ask an owner if you need access.
    </EmptyState>
  );
}

function GoHome() {
  return (
    <LinkButton to="/" variant="default">
      Go to home
    </LinkButton>
  );
}
