import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import type { Issuer } from "./issuers.ts";
import "./issuers.css";

type Result = Schemas["ExchangeProviderTest"];

/** Runs the checks of an exchange. Nothing is issued or stored. */
export function IssuerTest({ issuer }: { issuer: Issuer }) {
  const api = useApi();
  const { changes } = useRights();
  const [token, setToken] = useState("");
  const test = useMutation({
    mutationFn: async () =>
      (await api.testExchangeProvider({ path: { slug: issuer.slug }, body: { token: token.trim() } })).data,
  });
  return (
    <Section
      title="Test a token"
      description="Paste a token of the issuer to see the result of every check. Nothing is issued, and the token is not stored."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate();
        }}
      >
        <Stack gap="md" maw={820}>
          <Textarea
            label="Token"
            autosize
            minRows={4}
            maxRows={10}
            spellCheck={false}
            disabled={!changes}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={test.isPending} disabled={!changes || token.trim() === ""}>
              Test token
            </Button>
          </Group>
          <ErrorNote error={test.error} />
          {test.data && <TestResult result={test.data} />}
        </Stack>
      </form>
    </Section>
  );
}

function TestResult({ result: { valid, checks, claims, user } }: { result: Result }) {
  const failed = checks.filter(({ ok }) => !ok).length;
  return (
    <Stack gap="md" aria-live="polite">
      <Group gap="sm">
        <StatusPill tone={valid ? "good" : "bad"}>{valid ? "Accepted" : "Refused"}</StatusPill>
        <Text size="sm" c="dimmed">
          {valid
            ? `Acts as ${user?.email ?? "its user"}${user?.created ? ", who is created by the exchange" : ""}`
            : `${failed} of ${checks.length} checks failed. An exchange stops at the first one`}
        </Text>
      </Group>
      <ul className="gh-issuer-checks" aria-label="Checks">
        {checks.map(({ name, ok, detail }) => (
          <li key={name}>
            <span>
              <StatusPill tone={ok ? "good" : "bad"}>{ok ? "Passed" : "Failed"}</StatusPill>
            </span>
            <span>{checkLabel(name)}</span>
            <span className="gh-dim">{detail}</span>
          </li>
        ))}
      </ul>
      <JsonView value={claims} label="Claims" />
    </Stack>
  );
}

const LABELS: Readonly<Record<string, string>> = {
  email_verified: "Verified email",
  not_before: "Not before",
};

/** "Condition 1", "Audience" */
function checkLabel(name: string): string {
  const condition = /^conditions\.(\d+)$/.exec(name);
  if (condition) return `Condition ${Number(condition[1]) + 1}`;
  return LABELS[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}
