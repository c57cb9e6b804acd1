import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { serversKey } from "../mcp-servers/servers.ts";
import { firstRunKey } from "./progress.ts";
import { SAMPLE } from "./sample.ts";

/** Adds the built-in sample server. It is only available when Gatehouse runs on localhost. */
export function AddSample() {
  const { base_url: baseUrl } = useMe();
  const api = useApi();
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => api.createMcpServer({ body: sampleServer(baseUrl) }),
    onSuccess: async () => {
      await Promise.all([serversKey, firstRunKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  if (!/^(?:localhost|127\.|\[::1\])/.test(new URL(baseUrl).hostname)) return null;
  return (
    <>
      <Button size="xs" variant="default" loading={add.isPending} onClick={() => add.mutate()}>
        Add sample server
      </Button>
      <ErrorNote error={add.error} />
    </>
  );
}

function sampleServer(baseUrl: string) {
  return {
    ...SAMPLE,
    mcp_proxy: JSON.stringify({ type: "http", url: `${baseUrl.replace(/\/$/, "")}/sample/mcp` }),
  };
}
