import { type Html, html } from "#api/pages/html";
import type { Page } from "#api/pages/page";
import type { DocumentProblem } from "#identity/oauth-server/provider";
import type { RequestedConsent } from "#identity/oauth-server/server";

export interface ConsentState {
  readonly consent: RequestedConsent;
  readonly email: string;
  readonly orgName: string;
  readonly csrfToken: string;
}

/** MCP: shows the client, its access, and the redirect target. The client's name is shown as unverified. */
export function consentPage({ consent, email, orgName, csrfToken }: ConsentState): Page {
  const { clientName, slug } = consent;
  const access =
    slug === undefined
      ? "All tools you can use, with your permissions and your connections"
      : `The tools of “${slug}” that you can use, with your permissions and your connection`;
  const body = html`<p><strong>${clientName}</strong> wants to access ${orgName} as <strong>${email}</strong>.</p>
<dl>
<dt>Access</dt><dd>${access}</dd>
<dt>Client</dt><dd>${clientIdentity(consent)}</dd>
<dt>Redirects to</dt><dd>${redirectTarget(consent.redirectUri)}</dd>
</dl>
<p>Allow this only if you started it yourself. You can disconnect the client at any time.</p>
<form method="post">
<input type="hidden" name="csrf_token" value="${csrfToken}">
<button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="deny">Deny</button>
</form>`;
  return { title: "Connect MCP client", body, leadsTo: policySource(consent.redirectUri) };
}

/** Names the document, because only an admin can open the network or change the setting. */
export function documentPage({ url, reason }: DocumentProblem): Page {
  const host = URL.parse(url)?.host ?? url;
  const problem =
    reason === undefined
      ? html`<p role="alert">Your MCP client identifies itself with the document <code>${url}</code>. This installation does not read such documents.</p>`
      : html`<p role="alert">Your MCP client identifies itself with the document <code>${url}</code>, which could not be read: ${reason}.</p>`;
  const admin =
    reason === undefined
      ? html`<p>If it still fails, an admin can set &ldquo;Client ID metadata documents&rdquo; to &ldquo;Automatic&rdquo; in the settings.</p>`
      : html`<p>If it still fails, an admin can allow HTTPS connections from this installation to <code>${host}</code>, or set &ldquo;Client ID metadata documents&rdquo; to &ldquo;Off&rdquo; in the settings.</p>`;
  const body = html`${problem}
<p>Start again in your MCP client: it can register without the document. If it sends the document again, remove this server from the client, and add it again.</p>
${admin}`;
  return { title: "MCP client could not be identified", body };
}

function clientIdentity({ isDocument, clientId }: RequestedConsent): Html {
  if (isDocument) return html`Published by ${new URL(clientId).host} at <code>${clientId}</code>`;
  return html`Registered itself; its name is not verified`;
}

function redirectTarget(redirectUri: string): Html {
  const url = new URL(redirectUri);
  if (url.protocol === "https:") return html`<code>${url.host}</code>`;
  if (url.protocol === "http:") return html`An application on this computer, <code>${url.host}</code>`;
  return html`An application on this computer, <code>${url.protocol}</code>`;
}

/** Browsers apply `form-action` to redirects after a form submission. */
function policySource(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol === "https:" || url.protocol === "http:" ? url.origin : url.protocol;
}
