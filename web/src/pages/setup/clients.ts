import type { ClientId } from "./client-ids.ts";
import { curl, pythonSdk, typescriptSdk } from "./code-samples.ts";
import { type Caller, type GatewayTarget, type Step, shellUrl } from "./steps.ts";

interface Client {
  readonly label: string;
  /** Web chat apps support only sign-in, not access keys. */
  readonly callers?: readonly Caller[];
  steps(target: GatewayTarget): readonly Step[];
}

/** The variable in the `.env` files of machine users. */
const KEY = "$GATEHOUSE_ACCESS_KEY";
/** The placeholder syntax of Cursor, VS Code, and Windsurf. */
const variable = (name: string) => `\${${name}}`;
const json = (value: unknown) => JSON.stringify(value, null, 2);
const header = (credential: string) => ({ Authorization: `Bearer ${credential}` });

export const CLIENTS: Readonly<Record<ClientId, Client>> = {
  "claude-code": {
    label: "Claude Code",
    steps: ({ url, name, caller }) => [
      {
        text: "Run this command once.",
        what: "command",
        code: `claude mcp add --transport http ${name} ${shellUrl(url)}${caller === "machine" ? ` --header "Authorization: Bearer ${KEY}"` : ""}`,
      },
      caller === "person"
        ? { text: "In Claude Code, run /mcp, select the server, and sign in." }
        : { text: "Check the connection.", what: "command", code: "claude mcp list" },
    ],
  },
  claude: {
    label: "Claude",
    callers: ["person"],
    steps: ({ url }) => [
      {
        text: "In Claude on the web or the desktop, open Settings > Connectors and add a custom connector with this URL.",
        what: "URL",
        code: url,
      },
      {
        text: "Select Connect and sign in. Claude's servers call this URL, so it must be reachable from the internet.",
      },
    ],
  },
  cursor: {
    label: "Cursor",
    steps: ({ url, name, caller }) => {
      const server = {
        url,
        ...(caller === "machine" ? { headers: header(variable("env:GATEHOUSE_ACCESS_KEY")) } : {}),
      };
      return [
        {
          link: { label: "Add to Cursor", href: cursorLink(name, server) },
          text: "Use the link, or add this to ~/.cursor/mcp.json (or .cursor/mcp.json in a project).",
          what: "configuration",
          code: json({ mcpServers: { [name]: server } }),
        },
        ...(caller === "person" ? [{ text: "In Cursor, select “Needs login” and sign in." }] : []),
      ];
    },
  },
  vscode: {
    label: "VS Code",
    steps: ({ url, name, caller }) => {
      const server = {
        type: "http",
        url,
        ...(caller === "machine" ? { headers: header(variable("input:gatehouse")) } : {}),
      };
      const inputs = [{ type: "promptString", id: "gatehouse", description: "Gatehouse access key", password: true }];
      return [
        {
          ...(caller === "person" ? { link: { label: "Add to VS Code", href: vsCodeLink({ name, ...server }) } } : {}),
          text: "Add this to .vscode/mcp.json, or run “MCP: Open User Configuration”.",
          what: "configuration",
          code: json({ ...(caller === "machine" ? { inputs } : {}), servers: { [name]: server } }),
        },
        {
          text:
            caller === "person"
              ? "Start the server in VS Code and sign in when prompted."
              : "VS Code prompts for the access key when the server starts and stores it securely.",
        },
      ];
    },
  },
  codex: {
    label: "Codex",
    steps: ({ url, name, caller }) => [
      {
        text: "Run this command once. The Codex CLI, app, and extension share the configuration.",
        what: "command",
        code: `codex mcp add ${name} --url ${shellUrl(url)}${caller === "machine" ? " --bearer-token-env-var GATEHOUSE_ACCESS_KEY" : ""}`,
      },
      caller === "person"
        ? { text: "Sign in.", what: "command", code: `codex mcp login ${name}` }
        : { text: "Start Codex with GATEHOUSE_ACCESS_KEY set to the access key." },
    ],
  },
  chatgpt: {
    label: "ChatGPT",
    callers: ["person"],
    steps: ({ url }) => [
      {
        text: "In ChatGPT, open Settings > Connectors. Turn on developer mode under Advanced, then create a connector with this URL and OAuth.",
        what: "URL",
        code: url,
      },
      { text: "Sign in when prompted. ChatGPT's servers call this URL, so it must be reachable from the internet." },
    ],
  },
  windsurf: {
    label: "Windsurf",
    steps: ({ url, name, caller }) => [
      {
        text: "Add this to ~/.codeium/windsurf/mcp_config.json, then refresh the servers in Cascade.",
        what: "configuration",
        code: json({
          mcpServers: {
            [name]: {
              serverUrl: url,
              ...(caller === "machine" ? { headers: header(variable("env:GATEHOUSE_ACCESS_KEY")) } : {}),
            },
          },
        }),
      },
    ],
  },
  opencode: {
    label: "OpenCode",
    steps: ({ url, name, caller }) => [
      {
        text: "Add this to opencode.json in a project, or to ~/.config/opencode/opencode.json.",
        what: "configuration",
        code: json({
          mcp: {
            [name]: {
              type: "remote",
              url,
              enabled: true,
              ...(caller === "machine" ? { oauth: false, headers: header("{env:GATEHOUSE_ACCESS_KEY}") } : {}),
            },
          },
        }),
      },
      ...(caller === "person" ? [{ text: "Sign in.", what: "command", code: `opencode mcp auth ${name}` }] : []),
    ],
  },
  goose: {
    label: "Goose",
    steps: ({ url, name, caller }) => [
      {
        text: "Add this under extensions in ~/.config/goose/config.yaml.",
        what: "configuration",
        code: [
          `${name}:`,
          "  enabled: true",
          "  type: streamable_http",
          `  name: ${name}`,
          `  uri: ${url}`,
          "  timeout: 300",
          ...(caller === "machine" ? ["  headers:", `    Authorization: Bearer ${KEY}`] : []),
        ].join("\n"),
      },
    ],
  },
  gemini: {
    label: "Gemini CLI",
    steps: ({ url, name, caller }) => [
      {
        text: "Add this to ~/.gemini/settings.json.",
        what: "configuration",
        code: json({
          mcpServers: { [name]: { httpUrl: url, ...(caller === "machine" ? { headers: header(KEY) } : {}) } },
        }),
      },
      ...(caller === "person" ? [{ text: `In Gemini CLI, sign in with /mcp auth ${name}.` }] : []),
    ],
  },
  curl: { label: "curl", callers: ["machine"], steps: curl },
  typescript: { label: "TypeScript", callers: ["machine"], steps: typescriptSdk },
  python: { label: "Python", callers: ["machine"], steps: pythonSdk },
};

export function callersOf(id: ClientId): readonly Caller[] {
  return CLIENTS[id].callers ?? ["person", "machine"];
}

function cursorLink(name: string, server: object): string {
  const config = btoa(JSON.stringify(server));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
}

function vsCodeLink(server: object): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`;
}
