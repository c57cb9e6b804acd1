import { Button, Stack, Text } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { ApiError, type Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";
import "./discover-oauth.css";

type Discovered = Schemas["DiscoveredOAuth"];
type Step = Schemas["DiscoveryStep"];

/** Asks the server how its users sign in, and shows each step, so that a server can be mended from what it answered. */
export function DiscoverOAuth({ server }: { server: Detail }) {
  const api = useApi();
  const { changes } = useRights();
  const { refresh } = useServerChanges(server);
  const discover = useMutation({
    mutationFn: () => api.discoverOAuth({ path: { slug: server.slug } }),
    onSettled: () => refresh(),
  });
  const found = discover.data?.data;
  const steps = found?.steps ?? stepsOf(discover.error);
  return (
    <Section
      title="Discovery"
      description="Gatehouse finds the authorization server by itself and registers there. Run it to see how that goes."
      actions={
        changes && (
          <Button
            variant="default"
            leftSection={<IconWand size={16} aria-hidden />}
            disabled={server.connection === null}
            loading={discover.isPending}
            onClick={() => discover.mutate()}
          >
            Discover OAuth Settings
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {steps.length > 0 ? <Failed error={discover.error} /> : <ErrorNote error={discover.error} />}
        {found && <Found found={found} />}
        {steps.length > 0 && <StepLog steps={steps} />}
      </Stack>
    </Section>
  );
}

/** What stands before the reason in the answer; it is the title here. */
const FAILED = "OAuth Discovery Failed";

function Failed({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <div className="gh-note" data-tone="bad" role="alert">
      <Text size="sm" fw={600}>
        {FAILED}
      </Text>
      <Text size="sm">{error.message.replace(`${FAILED}: `, "")}</Text>
      <Text size="sm" mt={4}>
        If the server is yours, mend what the last step says and discover again. If not, register a client by hand at
        its provider, with the redirect address below, and enter its id and the addresses below.
      </Text>
    </div>
  );
}

const CLIENTS: Readonly<Record<Discovered["client"], string>> = {
  settings: "From the settings below",
  document: "Our metadata document",
  registered: "Registered by us",
  missing: "Missing: register one by hand",
};

function Found({ found }: { found: Discovered }) {
  return (
    <>
      <Note tone={found.advice === null ? "good" : "warn"}>{found.advice ?? "Users can connect."}</Note>
      <KeyValues
        items={[
          ["Issuer", found.issuer],
          ["Users sign in at", found.authUrl],
          ["Tokens come from", found.tokenUrl],
          ["We register at", found.registrationUrl],
          ["Resource", found.resource],
          ["Scopes", found.scopes.join(" ") || null],
          ["Client", CLIENTS[found.client]],
        ]}
      />
    </>
  );
}

function StepLog({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="gh-steps" aria-label="Steps of discovery">
      {steps.map(({ asked, answered, concluded }) => (
        <li key={`${asked} ${answered} ${concluded}`}>
          <code>{asked}</code>
          <Text size="sm" c="dimmed">
            {answered}
          </Text>
          <Text size="sm">{concluded}</Text>
        </li>
      ))}
    </ol>
  );
}

/** A discovery that failed tells its steps too (D35). */
function stepsOf(error: unknown): readonly Step[] {
  const body = error instanceof ApiError ? error.body : undefined;
  if (typeof body !== "object" || body === null || !("steps" in body) || !Array.isArray(body.steps)) return [];
  return body.steps.map((step: Partial<Step>) => ({
    asked: String(step.asked ?? ""),
    answered: String(step.answered ?? ""),
    concluded: String(step.concluded ?? ""),
  }));
}
