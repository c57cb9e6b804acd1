import { readFileSync } from "node:fs";
import { join } from "node:path";
import { missingProxies } from "#compose/proxy-warning";
import { type Config, isLoopback } from "#config/config";
import { checkAddress } from "#egress/address-rules";
import { createEgress, type Egress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import { verifyMailServer } from "#email/smtp";
import { systemClock } from "#lib/clock";
import { isObject } from "#lib/is-object";
import { isLoopbackName } from "#lib/loopback-name";
import { type Finding, failure, ok, textOf, warning } from "./finding.ts";

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 1024 * 1024;
/** The public URL of an installation may resolve to an internal address. */
const INTERNAL = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7";

export async function* checkNetwork(config: Config): AsyncGenerator<Finding> {
  const egress = createEgress({ allow: parseAllowList(`${LOOPBACK_ALLOW},${INTERNAL}`) });
  try {
    const service = await checkService(config, egress);
    const reported = service.status === "warning" ? undefined : await readWarnings(config, egress);
    yield service;
    yield checkUrl(config);
    yield await checkBaseUrl(config, egress);
    if (reported !== undefined) yield* checkWarnings(reported.filter((text) => !isAboutProxies(text)));
    yield checkProxies(config, reported?.filter(isAboutProxies));
    yield checkEgress(config);
    yield await checkRegistry(config);
    yield await checkMailServer(config);
    yield checkAgentProvider(config);
  } finally {
    egress.close();
  }
}

async function readJson(egress: Egress, url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const request = { method: "GET", url, headers, maxBytes: MOST_BYTES, timeouts: { totalMs: TIMEOUT_MS } };
  const { status, body } = await egress.request(request);
  const json: unknown = JSON.parse(body.toString("utf8"));
  return isObject(json) ? { ...json, httpStatus: status } : undefined;
}

function localUrl({ host, port }: Config): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function checkService(config: Config, egress: Egress): Promise<Finding> {
  const check = "Service";
  const url = `${localUrl(config)}/readyz`;
  try {
    const answer = await readJson(egress, url);
    const { status, reason } = isObject(answer) ? answer : {};
    if (status === "ready") return ok(check, `${url} reports ready.`);
    const message = `${url} reports ${String(status ?? "something else")}: ${String(reason ?? "no reason")}.`;
    return failure(check, message, "Read the log of the service.");
  } catch (error) {
    return warning(check, `No service responds at ${url}: ${textOf(error)}.`, "Start it with: gatehouse serve");
  }
}

function checkUrl({ baseUrl, gatewayUrl }: Config): Finding {
  const check = "URLs";
  const open = [baseUrl, gatewayUrl].find((url) => {
    const { protocol, hostname } = new URL(url);
    return protocol === "http:" && !isLoopbackName(hostname);
  });
  if (open === undefined) return ok(check, `BASE_URL is ${baseUrl}, GATEWAY_URL is ${gatewayUrl}.`);
  return warning(
    check,
    `${open} is not HTTPS.`,
    "Put a proxy with TLS in front, and set BASE_URL and GATEWAY_URL to its URL.",
  );
}

/** The issuer in the OAuth metadata is BASE_URL, so it shows whether the URL leads to this installation. */
async function checkBaseUrl({ baseUrl, role }: Config, egress: Egress): Promise<Finding> {
  const check = "Public URL";
  if (role === "gateway") return ok(check, "Another process serves BASE_URL.");
  const { origin, pathname } = new URL(baseUrl);
  const url = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, "")}`;
  const advice = "Check DNS, the proxy, and BASE_URL. This machine may be unable to reach its own public URL.";
  try {
    const answer = await readJson(egress, url);
    const issuer = isObject(answer) ? answer.issuer : undefined;
    if (issuer === baseUrl) return ok(check, `${baseUrl} leads to this installation.`);
    const found = issuer === undefined ? "something else" : `an installation with BASE_URL ${String(issuer)}`;
    return failure(check, `${baseUrl} leads to ${found}.`, "Set BASE_URL to the URL that people and MCP clients use.");
  } catch (error) {
    return warning(check, `${baseUrl} cannot be reached from here: ${textOf(error)}.`, advice);
  }
}

/** What the running process noticed, such as headers of a proxy that it does not trust. Undefined: it was not asked. */
async function readWarnings(config: Config, egress: Egress): Promise<string[] | undefined> {
  const token = config.bootstrapToken ?? readToken(config);
  if (token === undefined) return undefined;
  try {
    const answer = await readJson(egress, `${localUrl(config)}/api/about`, { authorization: `Bearer ${token}` });
    const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
    return Array.isArray(data.warnings) ? data.warnings.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function checkWarnings(reported: readonly string[]): Finding[] {
  const check = "Warnings";
  if (reported.length === 0) return [ok(check, "The running service reports none.")];
  return reported.map((text) => warning(check, text, "Change the setting, and restart the service."));
}

function readToken({ dataDir }: Config): string | undefined {
  try {
    return readFileSync(join(dataDir, "admin-token"), "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

function isAboutProxies(reported: string): boolean {
  return reported.includes("TRUSTED_PROXIES");
}

function checkProxies(config: Config, reported: readonly string[] | undefined): Finding {
  const check = "Proxy";
  const [seen] = reported ?? [];
  if (seen !== undefined) return warning(check, seen, "Correct TRUSTED_PROXIES, and restart the service.");
  const missing = missingProxies(config);
  if (missing !== undefined) return warning(check, missing, "Set TRUSTED_PROXIES to the address of the proxy.");
  const { trustedProxies } = config;
  const trusted =
    trustedProxies.length > 0
      ? `X-Forwarded-For is trusted from ${trustedProxies.join(", ")}.`
      : "No proxy is trusted.";
  const others =
    reported === undefined
      ? "The running service could not be asked whether requests come through another one."
      : "The running service has seen no requests of another one.";
  return ok(check, `${trusted} ${others}`);
}

function checkEgress({ baseUrl, egressAllow, host }: Config): Finding {
  const check = "Egress";
  const isPublic = !isLoopbackName(new URL(baseUrl).hostname) || !isLoopback(host);
  const reachesLoopback = checkAddress("127.0.0.1", "127.0.0.1", egressAllow).allowed;
  if (!isPublic || !reachesLoopback) {
    return ok(check, reachesLoopback ? "MCP servers may be on this machine." : "Loopback addresses are not allowed.");
  }
  return warning(
    check,
    "EGRESS_ALLOW contains loopback addresses, although the service is not only for this machine: admins can reach its local ports.",
    "Remove 127.0.0.0/8 and ::1 from EGRESS_ALLOW, or allow only the ports of your MCP servers with a firewall.",
  );
}

async function checkRegistry({ registrySync, registryUrl, egressAllow }: Config): Promise<Finding> {
  const check = "Registry";
  if (registrySync === "off") return ok(check, "REGISTRY_SYNC is off.");
  const egress = createEgress({ allow: egressAllow });
  try {
    const request = { method: "GET", url: registryUrl, maxBytes: MOST_BYTES, timeouts: { totalMs: TIMEOUT_MS } };
    await egress.request(request);
    return ok(check, `${registryUrl} can be reached.`);
  } catch (error) {
    const advice = "Allow HTTPS to it, or set REGISTRY_SYNC=off. Everything else works without it.";
    return warning(check, `${registryUrl} cannot be reached: ${textOf(error)}.`, advice);
  } finally {
    egress.close();
  }
}

/** Connects and signs in, and sends nothing. */
async function checkMailServer({ smtp, egressAllow, baseUrl, role }: Config): Promise<Finding> {
  const check = "Mail server";
  if (!smtp) return ok(check, "SMTP_HOST is not set: invitations are links to copy, and no notices are sent.");
  if (role === "gateway") return ok(check, "Processes with the API send emails.");
  const egress = createEgress({ allow: egressAllow });
  try {
    const needs = { egress, clock: systemClock, smtp, baseUrl };
    const { error } = await verifyMailServer(needs, AbortSignal.timeout(TIMEOUT_MS));
    if (error === null) return ok(check, `${smtp.host}:${smtp.port} accepts emails of this installation.`);
    return failure(check, error, "Check the settings SMTP_HOST to SMTP_FROM.");
  } finally {
    egress.close();
  }
}

/** Sends nothing: a request to a model costs money. */
function checkAgentProvider({ defaultProvider, egressAllow }: Config): Finding {
  const check = "Agent provider";
  if (!defaultProvider) return ok(check, "AGENT_PROVIDER is not set: each background agent needs a provider.");
  const { type, model, baseUrl, apiKey } = defaultProvider;
  const egress = createEgress({ allow: egressAllow });
  try {
    if (baseUrl !== undefined) egress.assertReachableUrl(baseUrl);
  } catch (error) {
    return failure(check, `AGENT_BASE_URL is refused: ${textOf(error)}.`, "Add its address to EGRESS_ALLOW.");
  } finally {
    egress.close();
  }
  if (apiKey !== undefined || baseUrl !== undefined) return ok(check, `${type} with the model ${model}.`);
  return warning(check, `${type} has no API key.`, "Set AGENT_API_KEY or AGENT_API_KEY_FILE.");
}
