import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { GatewayTool } from "../../api/gateway.ts";
import { Logo } from "../../components/logo.tsx";
import type { MyServer } from "./tools.ts";

interface ToolListProps {
  readonly tools: readonly GatewayTool[];
  readonly servers: ReadonlyMap<string, MyServer>;
  readonly chosen: string | undefined;
  /** The search text, which stays while tools are opened. */
  readonly q: string | undefined;
}

/** The available tools, grouped by server. */
export function ToolList({ tools, servers, chosen, q }: ToolListProps) {
  const groups = Map.groupBy(tools, ({ name }) => name.split("__", 1)[0] ?? "");
  return (
    <nav aria-label="Tools" className="gh-tools">
      {[...groups].map(([slug, own]) => {
        const server = servers.get(slug);
        return (
          <div key={slug} className="gh-tools-group">
            <div className="gh-tools-server">
              {server && <Logo url={server.logo_url} size={16} />}
              <span className="gh-truncate">{server?.name ?? slug}</span>
            </div>
            {own.map(({ name, title }) => (
              <Link
                key={name}
                to="/playground"
                search={{ tool: name, q }}
                className="gh-tool-link"
                activeProps={{ "aria-current": undefined }}
                aria-current={name === chosen ? "page" : undefined}
              >
                <span className="gh-truncate">{name.slice(slug.length + 2)}</span>
                {title !== undefined && title !== "" && (
                  <Text size="xs" c="dimmed" truncate>
                    {title}
                  </Text>
                )}
              </Link>
            ))}
          </div>
        );
      })}
    </nav>
  );
}
