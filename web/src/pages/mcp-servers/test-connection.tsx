import { Button, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { formatCount } from "../../components/quantities.ts";
import { Section } from "../../components/section.tsx";
import type { Detail } from "./servers.ts";

interface TestConnectionProps {
  readonly server: Detail;
  /** Unsaved credentials. Undefined: something must be entered before. */
  readonly body: Schemas["TestMcpServer"] | undefined;
  /** The input of what the test needs. */
  readonly children?: React.ReactNode;
}

/** Lists the server's tools with what is in the form, without saving it. */
export function TestConnection({ server, body, children }: TestConnectionProps) {
  const api = useApi();
  const test = useMutation({
    mutationFn: () => api.testMcpServer({ path: { slug: server.slug }, body }),
  });
  const result = test.data?.data;
  return (
    <Section
      title="Test connection"
      description={
        server.connection === null
          ? "Add the server URL in the settings first."
          : "Lists the server's tools with the credential above. Nothing is saved."
      }
    >
      <Stack gap="sm" maw={640}>
        {children}
        <div>
          <Button
            variant="default"
            disabled={server.connection === null || body === undefined}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            Test connection
          </Button>
        </div>
        <div aria-live="polite">
          {result?.ok && (
            <Note tone="good">The connection works. The server lists {countTools(result.tools_count ?? 0)}.</Note>
          )}
          {result && !result.ok && <Note tone="bad">{result.message}</Note>}
          <ErrorNote error={test.error} />
        </div>
      </Stack>
    </Section>
  );
}

function countTools(count: number): string {
  return count === 1 ? "1 tool" : `${formatCount(count)} tools`;
}
