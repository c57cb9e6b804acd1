import type { PluginTarget } from "#storage/plugin-tables";
import { marketplaceName } from "./name.ts";

export interface MarketplaceSettings {
  readonly gatewayUrl: string;
  readonly orgName: string;
}

/** Where callers get plugins, and the lines that add the marketplace to their clients. */
export interface MarketplaceLinks {
  readonly name: string;
  readonly marketplace_url: string;
  readonly git_url: string;
  /** Git asks for the access key and its secret, and its credential helper keeps them. */
  readonly sign_in_command: string;
  readonly add_commands: { readonly claude: string; readonly cursor: string; readonly codex: string };
}

export function marketplaceLinks({ gatewayUrl, orgName }: MarketplaceSettings): MarketplaceLinks {
  const base = pluginsUrl(gatewayUrl);
  const gitUrl = `${base}/marketplace.git`;
  return {
    name: marketplaceName(orgName),
    marketplace_url: `${base}/marketplace.json`,
    git_url: gitUrl,
    sign_in_command: `git ls-remote ${gitUrl}`,
    add_commands: {
      claude: `/plugin marketplace add ${gitUrl}`,
      cursor: `/add-plugin ${gitUrl}`,
      codex: `codex plugin marketplace add ${gitUrl}`,
    },
  };
}

export function pluginsUrl(gatewayUrl: string): string {
  return `${gatewayUrl.replace(/\/+$/, "")}/plugins`;
}

/** What installs a plugin after the marketplace was added. In Cursor, users choose it from a list. */
export function installCommands(slug: string, targets: readonly PluginTarget[], orgName: string) {
  const name = `${slug}@${marketplaceName(orgName)}`;
  return {
    ...(targets.includes("claude") && { claude: `/plugin install ${name}` }),
    ...(targets.includes("codex") && { codex: `codex plugin add ${name}` }),
  };
}
