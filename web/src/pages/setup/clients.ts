import type { ClientId } from "./client-ids.ts";
import { curl, pythonSdk, typescriptSdk } from "./programs.ts";
import type { Address, Caller, Step } from "./steps.ts";

interface Client {
  readonly label: string;
  /** Programs alone carry keys; a chat app on the web knows only the sign-in. */
  readonly callers?: readonly Caller[];
  steps(address: Address): readonly Step[];
}

/** The variable that machine users' `.env` files hold. */
const KEY = "$GATEHOUSE_ACCESS_KEY";
/** As these editors write what they fill in themselves. */
const variable = (name: string) => `\${${name}}`;
const json = (value: unknown) => JSON.stringify(value, null, 2);
const header = (credential: string) => ({ Authorization: `Bearer ${credential}` });

export const CLIENTS: Readonly<Record<ClientId, Client>> = {
  "claude-code": {
    label: "Claude Code",
    steps: ({ url, name, caller }) => [
      {
        text: "Run this once.",
        what: "command",
        code: `claude mcp add --transport http ${name} ${url}${caller === "machine" ? ` --header "Authorization: Bearer ${KEY}"` : ""}`,
      },
      caller === "person"
        ? { text: "In Claude Code, open /mcp, choose the server and sign in." }
        : { text: "Check that it answers.", what: "command", code: "claude mcp list" },
    ],
  },
  claude: {
    label: "Claude",
    callers: ["person"],
    steps: ({ url }) => [
      {
        text: "In Claude on the web or the desktop, open Settings, then Connectors, and add a custom connector with this address.",
        what: "address",
        code: url,
      },
      {
        text: "Choose Connect and sign in. Claude's servers call this address, so it must be reachable from the internet.",
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
          text: "Add it by the link, or write it into ~/.cursor/mcp.json, or .cursor/mcp.json of a project.",
          what: "configuration",
          code: json({ mcpServers: { [name]: server } }),
        },
        ...(caller === "person" ? [{ text: "Cursor shows “Needs login”: follow it and sign in." }] : []),
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
      const inputs = [{ type: "promptString", id: "gatehouse", description: "Gatehouse credential", password: true }];
      return [
        {
          ...(caller === "person" ? { link: { label: "Add to VS Code", href: vsCodeLink({ name, ...server }) } } : {}),
          text: "Write it into .vscode/mcp.json, or run “MCP: Open User Configuration”.",
          what: "configuration",
          code: json({ ...(caller === "machine" ? { inputs } : {}), servers: { [name]: server } }),
        },
        {
          text:
            caller === "person"
              ? "Start the server there and sign in when VS Code asks."
              : "VS Code asks for the credential when the server starts, and keeps it in its own store.",
        },
      ];
    },
  },
  codex: {
    label: "Codex",
    steps: ({ url, name, caller }) => [
      {
        text: "Run this once; the Codex command line, app and extension share it.",
        what: "command",
        code: `codex mcp add ${name} --url ${url}${caller === "machine" ? " --bearer-token-env-var GATEHOUSE_ACCESS_KEY" : ""}`,
      },
      caller === "person"
        ? { text: "Sign in.", what: "command", code: `codex mcp login ${name}` }
        : { text: "Start Codex where GATEHOUSE_ACCESS_KEY is set to <access key>:<secret>." },
    ],
  },
  chatgpt: {
    label: "ChatGPT",
    callers: ["person"],
    steps: ({ url }) => [
      {
        text: "In ChatGPT, open Settings, then Connectors. Switch developer mode on under Advanced, create a connector and give this address with OAuth.",
        what: "address",
        code: url,
      },
      { text: "Sign in when it asks. ChatGPT's servers call this address, so it must be reachable from the internet." },
    ],
  },
  windsurf: {
    label: "Windsurf",
    steps: ({ url, name, caller }) => [
      {
        text: "Write it into ~/.codeium/windsurf/mcp_config.json, then refresh the servers in Cascade.",
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
        text: "Write it into opencode.json of a project, or ~/.config/opencode/opencode.json.",
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
        text: "Write it under extensions in ~/.config/goose/config.yaml.",
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
        text: "Write it into ~/.gemini/settings.json.",
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
