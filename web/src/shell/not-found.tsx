import { IconLock, IconMapSearch } from "@tabler/icons-react";
import { EmptyState } from "../components/empty-state.tsx";
import { LinkButton } from "../components/links.tsx";

export function NotFound() {
  return (
    <EmptyState isPage icon={IconMapSearch} title="There is no page here" actions={<GoHome />}>
      <title>Not found · Gatehouse</title>
      The address may be mistyped, or what it named was renamed or deleted.
    </EmptyState>
  );
}

export function AdminsOnly() {
  return (
    <EmptyState isPage icon={IconLock} title="This page is for administrators" actions={<GoHome />}>
      <title>Not for you · Gatehouse</title>
      Ask an owner of this installation if you need it.
    </EmptyState>
  );
}

function GoHome() {
  return (
    <LinkButton to="/" variant="default">
      Go to the start page
    </LinkButton>
  );
}
