import type { Verb } from "./verb.ts";

/** API fields whose option has a different name. Other fields match by name: `expires_in` is `--expires-in`. */
const OPTIONS: Readonly<Record<string, string>> = {
  auto_assign_mcps: "auto-assign-servers",
  "auth_settings.authType": "auth",
  "auth_settings.authUrl": "auth-url",
  "auth_settings.client.scope": "scope",
  "auth_settings.clientId": "client-id",
  "auth_settings.clientSecret": "client-secret-file",
  "auth_settings.tokenUrl": "token-url",
  "client_credentials.clientId": "client-id",
  "client_credentials.clientSecret": "client-secret-file",
  "client_credentials.tokenUrl": "token-url",
  connector_id: "connector",
  events: "event",
  expires_at: "expires",
  is_machine_user: "machine",
  mcp_proxy: "upstream",
  overlap_hours: "overlap",
  overlap_seconds: "overlap",
  owner_ids: "owner",
  risk_score: "risk",
  scopes: "scope",
  secret: "secret-file",
  show_draft_mcps: "show-drafts",
  target_type: "kind",
  url: "receiver",
};
const REST: Readonly<Record<string, string>> = { emails: "email", slugs: "server" };

/** The API calls servers "integrations" in groups; everything that users see calls them servers. */
const SERVERS_NOT_FOUND = /^Integrations not found: /;

/** Replaces the field at the start of an API error with the option or argument that set it. */
export function inCliWords(message: string, verb: Verb): string {
  if (SERVERS_NOT_FOUND.test(message)) return message.replace(SERVERS_NOT_FOUND, "Servers not found: ");
  const [, path = "", problem = ""] = /^([\w.]+): (.+)$/s.exec(message) ?? [];
  const field = path.replace(/\.\d+$/, "");
  const typed = optionOrArgument(field, verb);
  if (typed === undefined) return message;
  // Some messages repeat the field: "email: email is required".
  const repeated = new RegExp(`^(?:${field.split(".").at(-1)}|url) (?=must |is )`);
  const rest = problem.replace(repeated, "");
  return /^(?:must|is) /.test(rest) ? `${typed} ${rest}` : `${typed}: ${rest}`;
}

function optionOrArgument(field: string, verb: Verb): string | undefined {
  const name = field.replace(/^settings\./, "");
  const option = OPTIONS[field] ?? OPTIONS[name] ?? name.replaceAll("_", "-");
  if (verb.options && Object.hasOwn(verb.options, option)) return `--${option}`;
  if (verb.args?.includes(field)) return `<${field}>`;
  return verb.rest !== undefined && REST[field] === verb.rest ? `<${verb.rest}>` : undefined;
}
