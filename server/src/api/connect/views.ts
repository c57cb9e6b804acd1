import { type Html, html } from "#api/pages/html";
import type { Page } from "#api/pages/page";
import type { McpServerRow } from "#storage/server-tables";
import type { ConnectionRow } from "#storage/user-tables";
import { renderHowTo } from "./how-to.ts";

/** A user that the visitor can connect: themselves, or a machine user that they own. */
export interface Subject {
  readonly email: string;
  readonly isVisitor: boolean;
  readonly connection: Pick<ConnectionRow, "state" | "last_error"> | undefined;
  /** D24: connects with its client credentials. */
  readonly connectsAutomatically: boolean;
}

export interface ConnectPage {
  readonly server: McpServerRow;
  readonly subjects: readonly Subject[];
  readonly csrfToken: string;
  /** The error of the last attempt. */
  readonly fault?: string | undefined;
  /** The result of the last action. */
  readonly done?: string | undefined;
  readonly contact: Contact;
}

/** The help contact of the settings: an email or a URL. */
export type Contact = string | null;

/** The next step if a retry does not help. */
export function askFor(contact: Contact): Html {
  if (contact === null) return html`If that does not help, ask your administrator.`;
  const href = contact.includes("://") ? contact : `mailto:${contact}`;
  return html`If that does not help, ask <a href="${href}" rel="noreferrer">${contact}</a>.`;
}

export function connectPage(page: ConnectPage): Page {
  const { server, fault, done } = page;
  const body = html`${server.description === "" ? undefined : html`<p>${server.description}</p>`}
${fault === undefined ? undefined : html`<p role="alert">${fault} ${askFor(page.contact)}</p>`}
${done === undefined ? undefined : html`<p role="status">${done}</p>`}
${nothingToConnect(server) ?? page.subjects.map((subject) => subjectPart(page, subject))}
${server.auth_type === "proxy-api-key" ? howTo(server) : undefined}
<p class="ways-back"><a href="../connections?open=${server.slug}">Your connections</a></p>`;
  return { title: `Connect ${server.name}`, body };
}

function nothingToConnect({ auth_type, auth_settings: { issuer } }: McpServerRow): Html | undefined {
  if (auth_type === "none") return html`<p>This server needs no connection. You can use its tools right away.</p>`;
  if (auth_type === "exchanged-token")
    return html`<p>This server receives the token that your application gets from ${issuer}. If calls fail, sign in to that application again.</p>`;
  return undefined;
}

function subjectPart(page: ConnectPage, subject: Subject): Html {
  const { server } = page;
  return html`<section>
<h2>${subject.isVisitor ? "You" : subject.email}</h2>
<p>${stateOf(subject)}</p>
${server.auth_type === "proxy-oauth" ? startLink(server, subject) : keyForm(page, subject)}
${subject.connection ? disconnectForm(page, subject) : undefined}
</section>`;
}

function stateOf({ connection, connectsAutomatically, email, isVisitor }: Subject): Html {
  const who = isVisitor ? html`<small>${email}</small> ` : undefined;
  if (!connection && connectsAutomatically) {
    return html`${who}<span class="state good">Connected</span> Connects automatically with its own OAuth client.`;
  }
  if (!connection) return html`${who}<span class="state">Not connected</span>`;
  if (connection.state === "connected") return html`${who}<span class="state good">Connected</span>`;
  return html`${who}<span class="state bad">Needs reconnection</span> ${sentence(connection.last_error)}`;
}

/** Ends an error message with exactly one period. */
function sentence(words: string | null): string {
  return words === null ? "" : `${words.replace(/\.$/, "")}.`;
}

function startLink({ slug, name }: McpServerRow, { email, isVisitor, connection }: Subject): Html {
  const query = isVisitor ? "" : `?for=${encodeURIComponent(email)}`;
  const words = connection?.state === "connected" ? `Reconnect ${name}` : `Connect ${name}`;
  const whose = isVisitor ? "your" : "its";
  return html`<p><small>${name} asks you to sign in and allow access. Gatehouse stores the token encrypted and uses it only for ${whose} calls.</small></p>
<p><a class="button" href="${slug}/start${query}">${words}</a></p>`;
}

/** The page has no scripts, so opening the details is the confirmation. */
function disconnectForm({ server, csrfToken }: ConnectPage, { email, isVisitor }: Subject): Html {
  const until = isVisitor ? "you connect" : "it is connected";
  return html`<details><summary>Disconnect</summary>
<form method="post" action="${server.slug}">
<input type="hidden" name="csrf_token" value="${csrfToken}">
<input type="hidden" name="for" value="${email}">
<p><small>Gatehouse deletes the saved credential. MCP clients cannot call ${server.name} until ${until} again.</small></p>
<button class="quiet" name="act" value="disconnect">Disconnect</button>
</form></details>`;
}

function keyForm({ server, csrfToken }: ConnectPage, { email, isVisitor, connection }: Subject): Html {
  return html`<form method="post" action="${server.slug}">
<input type="hidden" name="csrf_token" value="${csrfToken}">
<input type="hidden" name="for" value="${email}">
<label>${isVisitor ? "Your API key" : "Its API key"} <input name="key" type="password" autocomplete="off" spellcheck="false" maxlength="2000" required></label>
<button>${connection ? "Replace key" : "Connect"}</button>
</form>`;
}

function howTo({ auth_settings: { howtoMarkdown } }: McpServerRow): Html | undefined {
  if (howtoMarkdown === undefined || howtoMarkdown.trim() === "") return undefined;
  return html`<section class="how-to"><h2>How to get your API key</h2>${renderHowTo(howtoMarkdown)}</section>`;
}

/** The result of a connection attempt, for the user and for a waiting page of the app (WEB-7). */
export interface Ended {
  readonly server: Pick<McpServerRow, "name" | "slug">;
  readonly email: string;
  /** The relative path from this page to the root. */
  readonly root: string;
  /** Why the key could not be tested. */
  readonly untried?: string | undefined;
  /** The page is in a popup. */
  readonly isPopup?: boolean;
}

/** The page after every successful attempt. */
export function connectedPage({ server, email, root, untried, isPopup = false }: Ended): Page {
  const back = waysBack(root, server);
  if (untried !== undefined) {
    const body = html`<p role="status" data-outcome="connected">The API key for ${server.name} is saved for ${email}, but it could not be tested: the server ${untried}. If the key is wrong, the next call reports it.</p>
${back}`;
    return { title: "API key saved", body };
  }
  const sentence = `${server.name} is connected for ${email}. You can close this window.`;
  const body = html`<p role="status" data-outcome="connected"${isPopup ? html` data-close` : undefined}>${sentence}</p>
${back}`;
  return { title: "Connected", body };
}

export interface NotConnected {
  readonly title: string;
  readonly sentence: string;
  readonly root: string;
  readonly contact: Contact;
  /** The server, if known, for a retry. */
  readonly server?: Ended["server"];
}

export function notConnectedPage({ title, sentence: words, root, contact, server }: NotConnected): Page {
  const body = html`<p role="alert" data-outcome="failed">${words}</p>
<p>Try it once more. ${askFor(contact)}</p>
${waysBack(root, server)}`;
  return { title, body };
}

function waysBack(root: string, server: Ended["server"] | undefined): Html {
  const again = server && html`<a href="${root}connect/${server.slug}">Back to ${server.name}</a> &middot; `;
  return html`<p class="ways-back">${again}<a href="${root}connections">Your connections</a></p>`;
}
