import { type Html, html } from "#api/pages/html";
import type { Page } from "#api/pages/page";
import type { McpServerRow } from "#storage/server-tables";
import type { ConnectionRow } from "#storage/user-tables";
import { renderHowTo } from "./how-to.ts";

/** Somebody whom the visitor may connect: themselves, or a machine user that they own. */
export interface Subject {
  readonly email: string;
  readonly isVisitor: boolean;
  readonly connection: Pick<ConnectionRow, "state" | "last_error"> | undefined;
  /** D24: nobody has to. */
  readonly connectsByItself: boolean;
}

export interface ConnectPage {
  readonly server: McpServerRow;
  readonly subjects: readonly Subject[];
  readonly csrfToken: string;
  /** What was wrong with the last try. */
  readonly fault?: string | undefined;
  /** What was done just now. */
  readonly done?: string | undefined;
  readonly contact: Contact;
}

/** Whom people ask, if an admin has said so: an e-mail address, or the address of a page. */
export type Contact = string | null;

/** What to do when trying again does not help. */
export function askFor(contact: Contact): Html {
  if (contact === null) return html`If that does not help, ask whoever administers this.`;
  const href = contact.includes("://") ? contact : `mailto:${contact}`;
  return html`If that does not help, ask <a href="${href}" rel="noreferrer">${contact}</a>.`;
}

export function connectPage(page: ConnectPage): Page {
  const { server, fault, done } = page;
  const body = html`${server.description === "" ? undefined : html`<p>${server.description}</p>`}
${fault === undefined ? undefined : html`<p role="alert">${fault} ${askFor(page.contact)}</p>`}
${done === undefined ? undefined : html`<p role="status">${done}</p>`}
${server.auth_type === "none" ? NOTHING_NEEDED : page.subjects.map((subject) => subjectPart(page, subject))}
${server.auth_type === "proxy-api-key" ? howTo(server) : undefined}
<p class="ways-back"><a href="../connections?open=${server.slug}">Your connections</a></p>`;
  return { title: `Connect ${server.name}`, body };
}

const NOTHING_NEEDED = html`<p>This server needs nothing from you: its tools are yours to use already.</p>`;

function subjectPart(page: ConnectPage, subject: Subject): Html {
  const { server } = page;
  return html`<section>
<h2>${subject.isVisitor ? "You" : subject.email}</h2>
<p>${stateOf(subject)}</p>
${server.auth_type === "proxy-oauth" ? startLink(server, subject) : keyForm(page, subject)}
${subject.connection ? disconnectForm(page, subject) : undefined}
</section>`;
}

function stateOf({ connection, connectsByItself, email, isVisitor }: Subject): Html {
  const who = isVisitor ? html`<small>${email}</small> ` : undefined;
  if (!connection && connectsByItself) {
    return html`${who}<span class="state good">Connected</span> By its own OAuth client: nothing needs to be done.`;
  }
  if (!connection) return html`${who}<span class="state">Not connected yet</span>`;
  if (connection.state === "connected") return html`${who}<span class="state good">Connected</span>`;
  return html`${who}<span class="state bad">Must be connected again</span> ${sentence(connection.last_error)}`;
}

/** Errors are told without a full stop, or with one. */
function sentence(words: string | null): string {
  return words === null ? "" : `${words.replace(/\.$/, "")}.`;
}

function startLink({ slug, name }: McpServerRow, { email, isVisitor, connection }: Subject): Html {
  const query = isVisitor ? "" : `?for=${encodeURIComponent(email)}`;
  const words = connection?.state === "connected" ? `Connect again at ${name}` : `Sign in at ${name}`;
  const whose = isVisitor ? "your" : "its";
  return html`<p><small>${name} will ask you to sign in there and to allow this. What it gives us is kept sealed, and used for ${whose} own calls only.</small></p>
<p><a class="button" href="${slug}/start${query}">${words}</a></p>`;
}

function disconnectForm({ server, csrfToken }: ConnectPage, { email }: Subject): Html {
  return html`<form method="post" action="${server.slug}">
<input type="hidden" name="csrf_token" value="${csrfToken}">
<input type="hidden" name="for" value="${email}">
<button class="quiet" name="act" value="disconnect">Disconnect</button>
</form>`;
}

function keyForm({ server, csrfToken }: ConnectPage, { email, isVisitor, connection }: Subject): Html {
  return html`<form method="post" action="${server.slug}">
<input type="hidden" name="csrf_token" value="${csrfToken}">
<input type="hidden" name="for" value="${email}">
<label>${isVisitor ? "Your key" : "Its key"} <input name="key" type="password" autocomplete="off" spellcheck="false" maxlength="2000" required></label>
<button>${connection ? "Replace the key" : "Connect"}</button>
</form>`;
}

function howTo({ auth_settings: { howtoMarkdown } }: McpServerRow): Html | undefined {
  if (howtoMarkdown === undefined || howtoMarkdown.trim() === "") return undefined;
  return html`<section class="how-to"><h2>How to get your key</h2>${renderHowTo(howtoMarkdown)}</section>`;
}

/** How a try to connect ended, for the person and for whichever page of ours waits for it (WEB-7). */
export interface Ended {
  readonly server: Pick<McpServerRow, "name" | "slug">;
  readonly email: string;
  /** From the address of this page to our root. */
  readonly root: string;
  /** Why the server could not be asked about the key. */
  readonly untried?: string | undefined;
  /** The window was opened for this alone. */
  readonly isPopup?: boolean;
}

/** The end of every try that worked. */
export function connectedPage({ server, email, root, untried, isPopup = false }: Ended): Page {
  const back = waysBack(root, server);
  if (untried !== undefined) {
    const body = html`<p role="status" data-outcome="connected">The key for ${server.name} is kept for ${email}, but it was not tried: the server ${untried}. If it turns out to be wrong, the next call will say so.</p>
${back}`;
    return { title: "Key kept", body };
  }
  const sentence = `${server.name} is connected for ${email}. You can close this window and go on where you were.`;
  const body = html`<p role="status" data-outcome="connected"${isPopup ? html` data-close` : undefined}>${sentence}</p>
${back}`;
  return { title: "Connected", body };
}

export interface NotConnected {
  readonly title: string;
  readonly sentence: string;
  readonly root: string;
  readonly contact: Contact;
  /** Where it is known, to try it once more. */
  readonly server?: Ended["server"];
}

export function notConnectedPage({ title, sentence: words, root, contact, server }: NotConnected): Page {
  const body = html`<p role="alert" data-outcome="failed">${words}</p>
<p>Try it once more. ${askFor(contact)}</p>
${waysBack(root, server)}`;
  return { title, body };
}

function waysBack(root: string, server: Ended["server"] | undefined): Html {
  const again = server && html`<a href="${root}connect/${server.slug}">Back to ${server.name}</a> · `;
  return html`<p class="ways-back">${again}<a href="${root}connections">Your connections</a></p>`;
}
