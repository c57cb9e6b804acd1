import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { Section } from "../../components/section.tsx";
import { calls } from "../logs/call-labels.ts";
import { aDayAgo } from "./last-day.ts";

const MOST_SHOWN = 6;

/** Who called a server that wants a connection of their own and has none; nothing where all have theirs. */
export function NotConnected() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["logs", "not-connected"],
    queryFn: async ({ signal }) => {
      const query = { from: aDayAgo(), outcome: "not_connected", bucket: "day", top: MOST_SHOWN } as const;
      return (await api.getLogStats({ query, signal })).data;
    },
    refetchInterval: 60_000,
  });
  if (!data || data.users.length === 0) return null;
  const servers = data.servers.map(({ server_slug: slug }) => slug);
  return (
    <Section
      title="Not connected"
      description={`They called ${listed(servers)} without a connection of their own, and got a link to make one.`}
    >
      <ul className="gh-attention">
        {data.users.map(({ user_email: email, calls: count }) => (
          <li key={email}>
            <Link to="/logs" search={{ user: email, outcome: "not_connected" }} className="gh-attention-name">
              {email}
            </Link>
            <span className="gh-attention-words">{calls(count)} turned away</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "a server" : new Intl.ListFormat("en", { type: "disjunction" }).format(names);
}
