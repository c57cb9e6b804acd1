import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { save } from "../logs/export-calls.ts";
import { type AuditFilters, type ExportFormat, exportAudit } from "./audit.ts";

/** Exports all entries that match the filters. */
export function ExportMenu({ filters }: { filters: AuditFilters }) {
  const api = useApi();
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: ExportFormat) =>
      save(await exportAudit(api, filters, format, new AbortController().signal)),
    onError: notifyFailure,
  });
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} />} loading={isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => mutate("csv")}>CSV</Menu.Item>
        <Menu.Item onClick={() => mutate("ndjson")}>JSON lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
