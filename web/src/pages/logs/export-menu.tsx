import { Button, Group, Menu, Modal, Progress, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { MenuItems } from "../../components/menu-items.tsx";
import { calls } from "./call-labels.ts";
import { type CallFilters, exceedsStats, useCallStats } from "./calls.ts";
import { type ExportFormat, exportCalls, save } from "./export-calls.ts";

/** Downloads all calls that match the filters. */
export function ExportMenu({ filters }: { filters: CallFilters }) {
  const api = useApi();
  const [done, setDone] = useState(0);
  const stop = useRef(new AbortController());
  const work = useMutation({
    mutationFn: async (format: ExportFormat) => {
      stop.current = new AbortController();
      setDone(0);
      const { signal } = stop.current;
      const file = await exportCalls(api, { filters, format, signal, onProgress: setDone });
      if (!signal.aborted) save(file);
    },
  });
  const close = () => {
    stop.current.abort();
    work.reset();
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={15} />}>
            Export
          </Button>
        </Menu.Target>
        <MenuItems>
          <Menu.Item onClick={() => work.mutate("csv")}>CSV, for spreadsheets</Menu.Item>
          <Menu.Item onClick={() => work.mutate("ndjson")}>NDJSON, for scripts</Menu.Item>
        </MenuItems>
      </Menu>
      <Modal opened={work.isPending || work.isError} onClose={close} title="Export calls">
        {work.isError ? (
          <Stack>
            <ErrorNote error={work.error} />
            <Text size="sm">No file was saved.</Text>
          </Stack>
        ) : (
          <ExportProgress done={done} filters={filters} />
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            {work.isError ? "Close" : "Cancel"}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

function ExportProgress({ done, filters }: { done: number; filters: CallFilters }) {
  const { data } = useCallStats(filters, false);
  const total = exceedsStats(filters) ? undefined : data?.totals.calls;
  const share = total === undefined || total === 0 ? 100 : Math.min(100, (done / total) * 100);
  return (
    <Stack gap="xs">
      <Text size="sm" aria-live="polite">
        {total === undefined || total < done ? calls(done) : `${done.toLocaleString("en")} of about ${calls(total)}`}
      </Text>
      <Progress value={share} animated={total === undefined} aria-label="Export" />
      <Text size="xs" c="dimmed">
        The file is saved when the export is complete. It contains names, times, sizes, and errors, but no payloads.
      </Text>
    </Stack>
  );
}
