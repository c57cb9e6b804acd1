/**
 * Connects a user to an MCP server, acting as the user's browser, and calls the server's tool through the gateway. If
 * the call fails, the user connects again with the link of the response.
 */
import { type Api, apiOf, createMachineUser, type Gatehouse } from "./gatehouse.ts";

/** The suite's input for the client under test. */
export interface Task {
  readonly scenario: string;
  readonly serverUrl: string;
  readonly context: {
    /** A client that is already registered. */
    readonly client_id?: string;
    readonly client_secret?: string;
    /** The calls that the scenario expects. */
    readonly toolCalls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  };
}

export interface Outcome {
  /** How often the user was connected. */
  readonly connects: number;
  readonly called: boolean;
  /** The text of pages and responses. */
  readonly said: readonly string[];
}

export interface UnderTest extends Pick<Gatehouse, "url" | "token"> {
  readonly publicUrl: string;
}

const MOST_CONNECTS = 2;
const TOOL = "test-tool";
/** The suite expects the client's metadata document at this URL, which does not exist. */
const SUITE_CLIENT_ID = "https://conformance-test.local/client-metadata.json";

/** The server changes its authorization server, which an admin must approve. */
const MIGRATION = "auth/authorization-server-migration";

export async function connectAndCall(underTest: UnderTest, { scenario, serverUrl, context }: Task): Promise<Outcome> {
  const api = apiOf(underTest);
  const { client_id: clientId, client_secret: clientSecret } = context;
  const { slug } = (
    await api("POST", "/api/mcp-servers", {
      name: "Judge",
      mcp_proxy: JSON.stringify({ type: "http", url: serverUrl }),
      auth_settings: { authType: "proxy-oauth", ...(clientId !== undefined && { clientId, clientSecret }) },
    })
  ).data;
  const { email, authorization } = await createMachineUser(api, slug, slug);
  await api("PATCH", `/api/mcp-servers?slug=${slug}`, { sync_user_email: email });
  const call = (method: string, params: object) =>
    callGateway(`${underTest.url}/mcp/${slug}`, authorization, { method, params });
  const said: string[] = [];
  for (let connects = 1; connects <= MOST_CONNECTS; connects++) {
    if (scenario === MIGRATION && connects > 1) await approveChange(api, slug);
    const refusal = await connect(underTest, api, { email, mcp: slug });
    if (refusal !== undefined) return { connects: connects - 1, called: false, said: [...said, refusal] };
    await api("POST", `/api/mcp-servers/${slug}/sync`);
    await call("tools/list", {});
    const answer = await call("tools/call", { name: TOOL, arguments: {} });
    said.push(JSON.stringify(answer));
    if (answer.result?.content?.[0]?.text === "test") return { connects, called: true, said };
  }
  return { connects: MOST_CONNECTS, called: false, said };
}

async function approveChange(api: Api, slug: string): Promise<void> {
  const { data } = await api("POST", `/api/mcp-servers/${slug}/discover-oauth`);
  const { digest } = data.oauth_change;
  await api("POST", `/api/mcp-servers/${slug}/oauth-change/approve`, { digest });
}

/** Undefined if connected, otherwise the text of the page. */
async function connect(
  underTest: UnderTest,
  api: Api,
  who: { email: string; mcp: string },
): Promise<string | undefined> {
  const link: string = (await api("GET", `/api/user/auth-url?${new URLSearchParams(who)}`)).data.url;
  const left = await fetch(reachable(underTest, link), { redirect: "manual" });
  const there = left.headers.get("location");
  if (there === null) return left.text();
  const cookies = left.headers.getSetCookie().map((line) => line.split(";")[0]);
  const back = (await fetch(asTheSuiteNamesUs(underTest, there), { redirect: "manual" })).headers.get("location");
  if (back === null) throw new Error(`the authorization server sent no redirect from ${there}`);
  const done = await fetch(reachable(underTest, back), { headers: { cookie: cookies.join("; ") } });
  return done.status === 200 ? undefined : done.text();
}

/** The public URL has no DNS entry. */
function reachable({ url, publicUrl }: UnderTest, address: string): string {
  if (!address.startsWith(`${publicUrl}/`)) throw new Error(`${address} is not a URL of the installation`);
  return url + address.slice(publicUrl.length);
}

function asTheSuiteNamesUs({ publicUrl }: UnderTest, address: string): string {
  const there = new URL(address);
  if (there.searchParams.get("client_id")?.startsWith(`${publicUrl}/oauth/clients/`))
    there.searchParams.set("client_id", SUITE_CLIENT_ID);
  return there.href;
}

async function callGateway(url: string, authorization: string, request: object) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...request }),
  });
  return JSON.parse(await answer.text());
}
