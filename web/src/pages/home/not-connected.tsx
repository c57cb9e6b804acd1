import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { Section } from "../../components/section.tsx";
import { calls } from "../logs/call-labels.ts";
import { aDayAgo } from "./last-day.ts";

const MAX_SHOWN = 6;

/** Users whose calls failed because they have not connected an account. Hidden when there are none. */
export function NotConnected() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["logs", "not-connected"],
    queryFn: async ({ signal }) => {
      const query = { from: aDayAgo(), outcome: "not_connected", bucket: "day", top: MAX_SHOWN } as const;
      return (await api.getLogStats({ query, signal })).data;
    },
    refetchInterval: 60_000,
  });
  if (!data || data.users.length === 0) return null;
  const servers = data.servers.map(({ server_slug: slug }) => slug);
  return (
    <Section
      title="Not connected"
      description={`These users called ${listed(servers)} without a connected account and received a connect link.`}
    >
      <ul className="gh-not-connected">
        {data.users.map(({ user_email: email, calls: count }) => (
          <li key={email}>
            <Link to="/logs" search={{ user: email, outcome: "not_connected" }} className="gh-attention-name">
              {email}
            </Link>
            <span className="gh-attention-text">{calls(count)} not connected</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "a server" : new Intl.ListFormat("en", { type: "disjunction" }).format(names);
}
