import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconArchive, IconChevronUp, IconEye, IconRefresh, IconUserMinus, IconUsersPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { BulkBar, BulkProgress } from "../../components/bulk-progress.tsx";
import { useBulkRunner } from "../../components/bulk-run.ts";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { MenuItems } from "../../components/menu-items.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { DangerItem } from "../../components/row-menu.tsx";
import { useMembership } from "../groups/membership.ts";
import { BulkGroupDialog } from "./bulk-group-dialog.tsx";
import { countedServers, type Server } from "./servers.ts";

export type Picked = ReadonlyMap<string, Pick<Server, "slug" | "name" | "groups">>;

interface BulkActionsProps {
  readonly picked: Picked;
  onPick(picked: Picked): void;
  /** Number of servers that match the filters. */
  readonly total: number | undefined;
  /** Returns all servers that match the filters, including those not loaded yet. */
  pickAll(): Promise<Picked>;
}

/** Actions on all selected servers. Each server is changed in a separate request and has its own result. */
export function BulkActions({ picked, onPick, total = 0, pickAll }: BulkActionsProps) {
  const [dialog, setDialog] = useState<"add" | "remove" | "delete">();
  const all = useMutation({ mutationFn: pickAll, onSuccess: onPick, onError: notifyFailure });
  const { runner, start, does } = useBulkChanges(picked, onPick);
  const close = () => setDialog(undefined);
  const count = countedServers(picked.size);
  return (
    <>
      {picked.size > 0 && (
        <BulkBar count={`${picked.size.toLocaleString("en")} selected`} onClear={() => onPick(new Map())}>
          {total > picked.size && (
            <Button variant="subtle" size="compact-sm" loading={all.isPending} onClick={() => all.mutate()}>
              Select all {total.toLocaleString("en")}
            </Button>
          )}
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="default" loading={runner.isRunning} rightSection={<IconChevronUp size={14} />}>
                Change
              </Button>
            </Menu.Target>
            <MenuItems>
              <Menu.Item leftSection={<IconEye size={16} />} onClick={() => start("Activate", does.activate)}>
                Activate
              </Menu.Item>
              <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => start("Set to draft:", does.draft)}>
                Set to draft
              </Menu.Item>
              <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => start("Sync tools of", does.sync)}>
                Sync tools
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item leftSection={<IconUsersPlus size={16} />} onClick={() => setDialog("add")}>
                Add to a group…
              </Menu.Item>
              <Menu.Item leftSection={<IconUserMinus size={16} />} onClick={() => setDialog("remove")}>
                Remove from a group…
              </Menu.Item>
              <Menu.Divider />
              <DangerItem onClick={() => setDialog("delete")}>Delete…</DangerItem>
            </MenuItems>
          </Menu>
        </BulkBar>
      )}
      <BulkGroupDialog
        how={dialog === "delete" ? undefined : dialog}
        count={count}
        groupsOfEach={[...picked.values()].map(({ groups }) => groups)}
        onClose={close}
        onChoose={(group) => {
          close();
          if (dialog === "add") start(`Add to ${group}:`, does.addTo(group));
          else start(`Remove from ${group}:`, does.removeFrom(group));
        }}
      />
      <ConfirmByName
        opened={dialog === "delete"}
        title={`Delete ${count}?`}
        name={`delete ${picked.size}`}
        action={`Delete ${count}`}
        isWorking={false}
        error={null}
        onConfirm={() => {
          close();
          start("Delete", does.remove);
        }}
        onClose={close}
      >
        Their tools are removed from the gateway immediately, and all users are disconnected. Their calls stay in the
        logs. To hide them temporarily, set them to draft instead.
      </ConfirmByName>
      <BulkProgress runner={runner} />
    </>
  );
}

/** The changes that can be made to one server, and a function that runs one for all selected servers. */
function useBulkChanges(picked: Picked, onPick: BulkActionsProps["onPick"]) {
  const api = useApi();
  const { refresh } = useMembership();
  const runner = useBulkRunner();
  const start = async (title: string, work: (slug: string) => Promise<unknown>) => {
    const items = [...picked.values()].map(({ slug, name }) => ({ key: slug, name }));
    const what = `${title} ${countedServers(items.length)}`;
    const left = new Set((await runner.start(what, items, ({ key }) => work(key))).map(({ key }) => key));
    onPick(new Map([...picked].filter(([slug]) => left.has(slug))));
    if (left.size === 0) notifications.show({ message: `${what}: done` });
    await refresh();
  };
  const setStatus = (slug: string, status: "active" | "draft") =>
    api.updateMcpServer({ query: { slug }, body: { status } });
  const sync = async (slug: string) => {
    const { data } = await api.syncMcpServer({ path: { slug } });
    if (data.sync_error !== null) throw new Error(data.sync_error);
  };
  const does = {
    activate: (slug: string) => setStatus(slug, "active"),
    draft: (slug: string) => setStatus(slug, "draft"),
    sync,
    remove: (slug: string) => api.deleteMcpServer({ query: { slug } }),
    addTo: (name: string) => (slug: string) => api.addIntegrationsToGroup({ path: { name }, body: { slugs: [slug] } }),
    removeFrom: (name: string) => (slug: string) => api.removeIntegrationFromGroup({ path: { name }, query: { slug } }),
  };
  return { runner, does, start: (...given: Parameters<typeof start>) => void start(...given) };
}
