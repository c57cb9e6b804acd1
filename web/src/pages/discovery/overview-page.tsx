import { Skeleton, Text } from "@mantine/core";
import { IconRadar2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Bars, Figures } from "../../components/figures.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";
import { clientLabel, type DiscoverySummary, summaryQuery } from "./discovery.ts";
import "./discovery.css";

export function OverviewPage() {
  const api = useApi();
  const { data, error, refetch } = useQuery(summaryQuery(api));
  const isEmpty = data !== undefined && data.devices.active + data.devices.stale + data.devices.retired === 0;
  return (
    <>
      <PageHeader
        title="AI discovery"
        description="MCP servers, skills, and agents on the devices of your organization, whether they use this gateway or not."
        actions={
          !isEmpty && (
            <LinkButton to="/discovery/roll-out" variant="default">
              Roll out scan agent
            </LinkButton>
          )
        }
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isEmpty ? (
        <EmptyState
          icon={IconRadar2}
          title="No device has reported yet"
          actions={<LinkButton to="/discovery/roll-out">Roll out the scan agent</LinkButton>}
        >
          A small scan agent on each device reads the configuration of AI clients and reports what it finds. Secrets do
          not leave the device.
        </EmptyState>
      ) : (
        !error && <Overview summary={data} />
      )}
    </>
  );
}

function Overview({ summary }: { summary: DiscoverySummary | undefined }) {
  const servers = summary?.mcp_servers;
  const number = (value: number | undefined) => value?.toLocaleString("en");
  const news = summary?.new_by_day ?? [];
  return (
    <>
      <Figures
        items={[
          { label: "Blocked on devices", value: number(summary?.violations.block) },
          { label: "Warnings on devices", value: number(summary?.violations.warn) },
          { label: "Outside the gateway", value: summary && `${summary.unmanaged_percent}%` },
          { label: "MCP servers", value: number(servers?.total) },
          { label: "New in 7 days", value: number(servers?.new_7d) },
          { label: "Active devices", value: number(summary?.devices.active) },
        ]}
      >
        {summary && (
          <>
            <Bars
              label={`New MCP servers and skills in the last 7 days: ${news
                .map(({ date, mcp_servers, skills }) => `${date}: ${mcp_servers + skills}`)
                .join(", ")}`}
              values={news.map(({ mcp_servers, skills }) => ({ whole: mcp_servers + skills, bad: 0 }))}
            />
            <Text size="xs" c="dimmed" mt={4}>
              New MCP servers and skills per day in the last 7 days
            </Text>
          </>
        )}
      </Figures>
      <div className="gh-discovery-charts">
        <Section title="MCP servers by risk">
          <Shares
            items={[
              { label: "High (50 or more)", value: servers?.by_risk.high, tone: "bad" },
              { label: "Medium (25 to 49)", value: servers?.by_risk.medium, tone: "warn" },
              { label: "Low", value: servers?.by_risk.low, tone: "info" },
              { label: "None", value: servers?.by_risk.none, tone: "quiet" },
            ]}
          />
          <TextLink to="/discovery/inventory" search={{ risk: "50" }} size="sm">
            Show high-risk servers
          </TextLink>
        </Section>
        <Section title="MCP servers by policy">
          <Shares
            items={[
              { label: "Blocked", value: servers?.by_action.block, tone: "bad" },
              { label: "Warning", value: servers?.by_action.warn, tone: "warn" },
              { label: "Allowed", value: servers?.by_action.allow, tone: "info" },
            ]}
          />
          <TextLink to="/discovery/policy" search={{ tab: "violations" }} size="sm">
            Show violations
          </TextLink>
        </Section>
        <Section title="Discovered items by client">
          <Shares
            items={(summary?.top_clients ?? [undefined, undefined, undefined]).slice(0, 8).map((each) => ({
              label: each ? clientLabel(each.client) : "",
              value: each?.count,
              tone: "info",
            }))}
          />
        </Section>
      </div>
    </>
  );
}

interface Share {
  readonly label: string;
  readonly value: number | undefined;
  readonly tone: string;
}

/** Horizontal bars with their numbers. */
function Shares({ items }: { items: readonly Share[] }) {
  const most = Math.max(1, ...items.map(({ value }) => value ?? 0));
  return (
    <ul className="gh-shares">
      {items.map(({ label, value, tone }, at) => (
        <li key={label || at}>
          <span className="gh-shares-label">{label || <Skeleton height={12} width={80} />}</span>
          <span className="gh-shares-bar" data-tone={tone} aria-hidden>
            <span style={{ width: `${(100 * (value ?? 0)) / most}%` }} />
          </span>
          <span className="gh-shares-value">{value === undefined ? "" : value.toLocaleString("en")}</span>
        </li>
      ))}
    </ul>
  );
}
