/** One environment variable, as `gatehouse serve --help` prints it. */
export interface Setting {
  readonly name: string;
  readonly description: string;
  /** Omitted: the setting is off or empty. */
  readonly default?: string;
  /** The name with `_FILE` is also a setting: the path of a file that contains the value. */
  readonly isSecret?: true;
}

/** Every environment variable that `config.ts` reads; a test compares the two. */
export const SETTINGS: readonly Setting[] = [
  { name: "HOST", description: "IP address or host name to listen on", default: "127.0.0.1" },
  { name: "PORT", description: "Port to listen on, in plain HTTP", default: "8080" },
  { name: "BASE_URL", description: "Public URL of the service", default: "from HOST and PORT" },
  { name: "GATEWAY_URL", description: "Public URL of the gateway, without /mcp", default: "BASE_URL" },
  { name: "DATA_DIR", description: "Folder for the database, key file, and spool", default: "./data" },
  {
    name: "DATABASE_URL",
    description: "postgres:// URL to use instead of SQLite; requires GATEHOUSE_KEY_FILE",
    isSecret: true,
  },
  {
    name: "SNAPSHOT_MAX_AGE_MINUTES",
    description:
      "Maximum age of the stored snapshot that a process can start from while Postgres is away, 0 to 60; 0 stores none",
    default: "60",
  },
  { name: "ORG_NAME", description: "Name of the organization, as MCP clients see it", default: "Gatehouse" },
  { name: "ORG_DOMAIN", description: "Domain for the emails of machine users", default: "gatehouse.local" },
  {
    name: "GATEHOUSE_BOOTSTRAP_TOKEN",
    description: "API token to create on the first start, at least 24 random characters",
    default: "created in DATA_DIR/admin-token",
    isSecret: true,
  },
  {
    name: "GATEHOUSE_KEY_FILE",
    description: "Path of the key file that encrypts secrets",
    default: "created as DATA_DIR/gatehouse.key",
  },
  { name: "GATEHOUSE_PREVIOUS_KEY_FILE", description: "Path of the previous key file during a key rotation" },
  {
    name: "LOG_FILES_DIR",
    description: "Existing folder that log destinations of the kind file write to",
  },
  { name: "SMTP_HOST", description: "Mail server for invitations and notices; setting it turns email on" },
  { name: "SMTP_PORT", description: "Port of the mail server", default: "587, or 465 with SMTP_TLS=tls" },
  {
    name: "SMTP_TLS",
    description: "starttls, tls (from the first byte), or none",
    default: "starttls, or tls with SMTP_PORT=465",
  },
  { name: "SMTP_USER", description: "User name at the mail server" },
  { name: "SMTP_PASSWORD", description: "Password at the mail server", isSecret: true },
  { name: "SMTP_FROM", description: "Sender of emails, such as Gatehouse <gatehouse@example.com>" },
  {
    name: "AGENT_PROVIDER",
    description:
      "Provider of background agents that have none: openai, openai-compatible, anthropic, or google; requires AGENT_MODEL",
  },
  { name: "AGENT_MODEL", description: "Model of agents that use AGENT_PROVIDER and name none" },
  { name: "AGENT_BASE_URL", description: "URL of AGENT_PROVIDER", default: "the provider's own" },
  { name: "AGENT_API_KEY", description: "API key for AGENT_PROVIDER", isSecret: true },
  {
    name: "GATEHOUSE_ROLE",
    description: "all, admin (without /mcp), or gateway (without /api)",
    default: "all",
  },
  {
    name: "WORKERS",
    description: "Processes that serve the port, 1 to 64, or auto for one per processor core",
    default: "1",
  },
  {
    name: "EGRESS_ALLOW",
    description: "Private addresses that MCP servers may have: CIDRs, IP addresses, or host names, comma-separated",
    default: "loopback if HOST and BASE_URL are loopback, otherwise none",
  },
  {
    name: "TRUSTED_PROXIES",
    description: "IP addresses or CIDRs of proxies whose X-Forwarded-For is trusted, comma-separated",
  },
  {
    name: "CONNECTIONS_PER_ADDRESS",
    description:
      "Open connections that one IP address may have, 0 for no limit; loopback and TRUSTED_PROXIES are exempt",
    default: "2048",
  },
  {
    name: "MAX_EVENT_LOOP_DELAY_MS",
    description: "Event loop delay above which new requests are answered with 503, 50 to 60000; 0 for no limit",
    default: "500",
  },
  {
    name: "REGISTRY_URL",
    description: "URL of the MCP registry",
    default: "https://registry.modelcontextprotocol.io",
  },
  { name: "REGISTRY_SYNC", description: "on or off: sync the registry every few hours", default: "on" },
  { name: "LOCAL_SERVERS_FILE", description: "Path of the JSON file that declares local (stdio) servers" },
  {
    name: "DRAIN_SECONDS",
    description: "How long to accept new requests after SIGTERM, 0 to 300",
    default: "5",
  },
  { name: "METRICS_PORT", description: "Port for Prometheus metrics" },
  { name: "METRICS_HOST", description: "IP address or host name for Prometheus metrics", default: "127.0.0.1" },
  {
    name: "LOG_LEVEL",
    description: "fatal, error, warn, info, debug, trace, or silent",
    default: "info",
  },
  { name: "OTEL_SDK_DISABLED", description: "true: export no traces", default: "false" },
  { name: "OTEL_TRACES_EXPORTER", description: "otlp or none", default: "otlp if an endpoint is set" },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    description: "Base URL of the collector; setting it turns traces on",
    default: "http://localhost:4318",
  },
  {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    description: "Complete URL for traces",
    default: "OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces",
  },
  { name: "OTEL_EXPORTER_OTLP_PROTOCOL", description: "Protocol of the collector", default: "http/json" },
  {
    name: "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    description: "The same for traces only",
    default: "OTEL_EXPORTER_OTLP_PROTOCOL",
  },
  {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    description: "Headers for the collector: name=value, comma-separated",
    isSecret: true,
  },
  {
    name: "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    description: "More headers, for traces only",
    isSecret: true,
  },
  { name: "OTEL_EXPORTER_OTLP_TIMEOUT", description: "Timeout of an export in milliseconds", default: "10000" },
  {
    name: "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
    description: "The same for traces only",
    default: "OTEL_EXPORTER_OTLP_TIMEOUT",
  },
  { name: "OTEL_SERVICE_NAME", description: "Service name in traces", default: "gatehouse" },
  { name: "OTEL_RESOURCE_ATTRIBUTES", description: "Attributes of traces: name=value, comma-separated" },
  { name: "OTEL_TRACES_SAMPLER", description: "Sampler of traces", default: "parentbased_always_on" },
  { name: "OTEL_TRACES_SAMPLER_ARG", description: "Ratio of a traceidratio sampler, 0 to 1", default: "1" },
];

/** The names of all settings, including those with `_FILE`. */
export const SETTING_NAMES: ReadonlySet<string> = new Set(
  SETTINGS.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
);

/** The text of a setting in the help: what it means, and what applies without it. */
export function describeSetting({ name, description, isSecret, ...setting }: Setting): string {
  const file = isSecret ? `; or a path in ${name}_FILE` : "";
  return `${description}${file}${setting.default === undefined ? "" : ` (default: ${setting.default})`}`;
}
