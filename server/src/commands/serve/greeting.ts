import type { Config } from "#config/config";

export interface Greeting {
  readonly port: number;
  readonly metricsPort: number | undefined;
  readonly adminTokenFile: string | undefined;
  readonly setupToken: string | undefined;
  readonly sealedBecause: string | undefined;
}

export function printGreeting(config: Config, greeting: Greeting): void {
  const { port, metricsPort, adminTokenFile, setupToken, sealedBecause } = greeting;
  const url = config.baseUrl.replace(/:0$/, `:${port}`);
  const lines = [
    `Gatehouse is running at ${url}`,
    ...(config.role === "admin" ? [] : [`  Gateway    ${config.gatewayUrl.replace(/:0$/, `:${port}`)}/mcp`]),
    ...(config.role === "gateway" ? [] : [`  API        ${url}/api (documentation: ${url}/docs)`]),
  ];
  if (!lines.some((line) => line.includes(`:${port}`))) lines.push(`  Listening  port ${port} of ${config.host}`);
  if (config.workers !== undefined) lines.push(`  Workers    ${config.workers}`);
  if (metricsPort !== undefined) lines.push(`  Metrics    port ${metricsPort} of ${config.metricsHost}, at /metrics`);
  if (adminTokenFile !== undefined) lines.push(`  API token  created in ${adminTokenFile}`);
  if (sealedBecause !== undefined) lines.push(`  NOT READY: ${sealedBecause}`);
  process.stdout.write(`${lines.join("\n")}\n`);
  if (setupToken !== undefined) printSetupLink(config, port, setupToken);
}

export function printSetupLink(config: Config, port: number, setupToken: string): void {
  const url = config.baseUrl.replace(/:0$/, `:${port}`);
  process.stdout.write(
    `\nNo owner yet. Create the owner account within one hour:\n  ${url}/setup-link#${setupToken}\n`,
  );
}
