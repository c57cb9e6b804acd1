import assert from "node:assert/strict";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createMachineUser, createPerson, createServer, createSyncedServer } from "#test/factories";
import { CALLBACK, McpClient } from "#test/mcp-client";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { GOOD_PASSWORD } from "#test/passwords";
import { registryRow, storeRegistry } from "#test/registry";
import type { HttpAnswer } from "#test/start-service";
import { listenOnLoopback } from "#test/upstreams/loopback";
import { startRawUpstream } from "#test/upstreams/raw";
import { type Installation, signIn, startInstallation } from "./installation.ts";
import { PAYLOADS } from "./payloads.ts";

export interface Hostile extends Installation {
  readonly owner: HttpBrowser;
  /** A member with access to every server and a hostile user agent. */
  readonly member: HttpBrowser;
  /** The consent page for an OAuth client with a hostile name. */
  readonly consentPath: string;
  /** The panels of hostile calls and audit entries. */
  readonly panelPaths: readonly string[];
  /** An authorization server whose responses can be made hostile. */
  readonly customer: Customer;
  /** The OAuth callback with a hostile error. */
  readonly oauthErrorPath: string;
}

interface HostileInstallation extends Installation {
  readonly owner: HttpBrowser;
  readonly closing: { close(): Promise<unknown> }[];
}

const ALL = PAYLOADS.join("\n\n");
const MEMBER = "member@acme.example";

/** An installation in which all untrusted text is an attack (WEB-2). */
export async function startHostile(): Promise<Hostile> {
  const installation = await startInstallation();
  const owner = await signIn(installation, "owner");
  const member = await signIn(installation, "member", MEMBER);
  const hostile: HostileInstallation = { ...installation, owner, closing: [] };
  await createGroup(installation.service, "Everybody", {
    settings: { auto_assign_users: true, auto_assign_mcps: true },
  });
  await ok(installation.service.api("POST", "/api/groups/Everybody/users", { emails: [MEMBER, "owner@example.com"] }));
  await ok(installation.service.api("PATCH", "/api/settings", { payload_capture: "full" }));
  await nameEverything(hostile);
  await addTools(hostile);
  await addAnswers(hostile);
  await addBrokenServer(hostile);
  const customer = await addServersWithConnection(hostile);
  await storeRegistry(
    installation.database.databases.main,
    PAYLOADS.map((text, n) =>
      registryRow({ name: `com.evil/server-${n}`, title: text, description: text, websiteUrl: text }),
    ),
  );
  await leaveTraces(hostile, member);
  await connectClients(hostile, member);
  return {
    ...installation,
    owner,
    member,
    customer,
    consentPath: await askForConsent(hostile),
    oauthErrorPath: await startFailingOAuth(member, customer),
    panelPaths: await panelsOf(hostile),
    async close() {
      await installation.close();
      await Promise.all(hostile.closing.map((each) => each.close()));
    },
  };
}

async function nameEverything({ service }: HostileInstallation): Promise<void> {
  for (const [n, text] of PAYLOADS.entries()) {
    await createServer(service, text, undefined, { slug: `named-${n}`, description: text });
    await createGroup(service, text, { slugs: [`named-${n}`], emails: [MEMBER] });
    await createPerson(service, text, `person-${n}@acme.example`);
    await createMachineUser(service, text);
    await ok(service.api("POST", "/api/api-tokens", { name: text, scopes: ["admin:read"] }));
  }
}

/** A hostile server: its tools, changed definitions, and results. */
async function addTools({ service, closing }: HostileInstallation): Promise<void> {
  const tool = (text: string, n: number) => ({
    name: `tool_${n}`,
    title: text,
    description: text,
    inputSchema: {
      type: "object",
      title: text,
      properties: {
        text: { type: "string", title: text, description: text, default: text, enum: [text], examples: [text] },
      },
    },
    annotations: { title: text },
  });
  const upstream = await startRawUpstream({ tools: PAYLOADS.slice(1).map(tool) });
  closing.push(upstream);
  const slug = await createSyncedServer(service, "Tools", upstream.url, { description: ALL });
  await ok(service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { tool_policy: "warn" }));
  upstream.tools = PAYLOADS.map((text, n) => ({ ...tool(text, n), description: `${text}${text}` }));
  await ok(service.api("POST", `/api/mcp-servers/${slug}/sync`));
  const caller = await createMachineUser(service, "caller");
  await ok(service.api("POST", "/api/groups/Everybody/users", { emails: [caller.email] }));
  for (const [n, text] of PAYLOADS.entries()) {
    const headers = { "user-agent": headerSafe(text) };
    const call = (name: string) => ({
      jsonrpc: "2.0",
      id: n,
      method: "tools/call",
      params: { name, arguments: { text } },
    });
    await service.mcp(caller.credential, call(`tools__tool_${n}`), headers);
    await service.mcp(caller.credential, call(n % 4 === 0 ? text : "tools__no_such_tool"), headers);
  }
}

/** A tool with a hostile input schema, and one with a hostile result. */
async function addAnswers({ service, closing }: HostileInstallation): Promise<void> {
  const properties = PAYLOADS.map((text, n) => [
    text,
    { type: "string", title: text, description: text, default: text, ...(n % 2 === 0 ? { enum: PAYLOADS } : {}) },
  ]);
  const inputSchema = { type: "object", title: ALL, description: ALL, properties: Object.fromEntries(properties) };
  const upstream = await startRawUpstream({
    tools: [
      { name: "form", title: ALL, description: ALL, inputSchema },
      {
        name: "answer",
        inputSchema: { type: "object" },
        outputSchema: { type: "object", title: ALL, required: ["x"] },
      },
    ],
    behave: ({ tool, id }) =>
      tool === undefined ? "json" : { status: 200, body: `{"jsonrpc":"2.0","id":${id},"result":${hostileResult()}}` },
  });
  closing.push(upstream);
  await createSyncedServer(service, "Answers", upstream.url);
  const caller = await createMachineUser(service, "reader");
  await ok(service.api("POST", "/api/groups/Everybody/users", { emails: [caller.email] }));
  const params = { name: "answers__answer", arguments: { text: ALL } };
  await ok(service.mcp(caller.credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params }));
}

function hostileResult(): string {
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='window.__xss=1'/>").toString("base64");
  const content = PAYLOADS.flatMap((text) => [
    { type: "text", text },
    { type: "image", data: svg, mimeType: "image/svg+xml" },
    { type: "image", data: text, mimeType: "image/png" },
    { type: "image", data: svg, mimeType: text },
    { type: "audio", data: svg, mimeType: text },
    { type: "resource_link", uri: text, name: text, title: text, description: text },
    { type: "resource", resource: { uri: text, mimeType: text, text } },
    { type: "resource", resource: { uri: text, mimeType: text, blob: svg } },
  ]);
  return JSON.stringify({ content, structuredContent: { [ALL]: ALL } });
}

/** A server whose sync fails with a hostile error. */
async function addBrokenServer({ service, closing }: HostileInstallation): Promise<void> {
  const error = { jsonrpc: "2.0", id: 1, error: { code: -32000, message: ALL, data: ALL } };
  const upstream = await listenOnLoopback((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(error));
  });
  closing.push(upstream);
  const slug = await createServer(service, "Broken", `${upstream.origin}/mcp`);
  await service.api("POST", `/api/mcp-servers/${slug}/sync`);
}

/** Servers that require a connected account, with hostile instructions. */
async function addServersWithConnection({ service, closing }: HostileInstallation): Promise<Customer> {
  const customer = await startCustomer();
  closing.push(customer);
  const instructions = { howtoMarkdown: ALL, headerName: "X-Api-Key" };
  await createServer(service, "Keyed", customer.url, { auth_settings: { authType: "proxy-api-key", ...instructions } });
  const oauth = { authType: "proxy-oauth", client: { scope: "read" } };
  await createServer(service, "Signed", customer.url, { auth_settings: oauth });
  return customer;
}

/** Text that anonymous visitors can leave: failed sign-ins and user agents. */
async function leaveTraces({ service }: HostileInstallation, member: HttpBrowser): Promise<void> {
  for (const text of PAYLOADS.slice(0, 8)) {
    const agent = { "user-agent": headerSafe(text) };
    await member.get("/sign-in", agent);
    await member.submit("/sign-in", { email: text, password: GOOD_PASSWORD }, agent);
    await service.mcp(`${text}:secret`, { jsonrpc: "2.0", id: 1, method: "tools/list" }, agent);
  }
  await member.get("/sign-in");
  await member.submit(
    "/sign-in",
    { email: MEMBER, password: GOOD_PASSWORD },
    { "user-agent": headerSafe(PAYLOADS[4] ?? "") },
  );
}

/** MCP clients with hostile names that a member signed in with. */
async function connectClients({ service, url }: HostileInstallation, member: HttpBrowser): Promise<void> {
  for (const text of PAYLOADS.slice(0, 6)) {
    const client = new McpClient(service);
    await ok(client.register({ client_name: text }));
    const consent = await client.ask(member, { resource: `${url}/mcp` });
    await member.get(consent);
    const { headers } = await member.submit(consent, { decision: "allow" });
    const back = await member.get(String(headers.location).slice(url.length));
    const code = new URL(String(back.headers.location)).searchParams.get("code");
    await ok(client.exchange(code ?? "", { resource: `${url}/mcp` }));
  }
}

/** A call with a hostile payload, a denied call, and one audit entry per operation. */
async function panelsOf({ service }: HostileInstallation): Promise<string[]> {
  const idsOf = async (path: string) => {
    const { body, text } = await service.api("GET", path);
    assert.ok(body.data.length > 0, text);
    return body.data as Array<{ id: string; operation?: string }>; // as defined in the API document
  };
  const calls = [
    ...(await idsOf("/api/logs?tool=answer&limit=1")),
    ...(await idsOf("/api/logs?outcome=denied&limit=1")),
  ];
  const changes = new Map((await idsOf("/api/audit?limit=100")).map((change) => [change.operation, change]));
  return [
    ...calls.map(({ id }) => `/logs?call=${encodeURIComponent(id)}`),
    ...[...changes.values()].map(({ id }) => `/audit?open=${encodeURIComponent(id)}`),
  ];
}

async function askForConsent({ service, url }: HostileInstallation): Promise<string> {
  const client = new McpClient(service);
  await ok(
    client.register({ client_name: PAYLOADS[0], client_uri: "https://evil.example/", redirect_uris: [CALLBACK] }),
  );
  return client.authorizePath({ resource: `${url}/mcp`, state: PAYLOADS[0] ?? "" });
}

async function startFailingOAuth(member: HttpBrowser, { origin }: Customer): Promise<string> {
  const left = await member.get("/connect/signed/start");
  const to = new URL(String(left.headers.location));
  assert.equal(to.origin, origin, left.text);
  const said = {
    error: PAYLOADS[4] ?? "",
    error_description: ALL.slice(0, 4000),
    error_uri: "javascript:window.__xss=1",
  };
  const { pathname } = new URL(to.searchParams.get("redirect_uri") ?? "");
  return `${pathname}?${new URLSearchParams({ ...said, state: to.searchParams.get("state") ?? "" })}`;
}

/** Removes characters that headers cannot contain. */
function headerSafe(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, " ");
}

async function ok(call: Promise<HttpAnswer>): Promise<void> {
  const { status, text } = await call;
  assert.ok(status < 400, text);
}
