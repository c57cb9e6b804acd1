import { type Html, html } from "#api/pages/html";
import type { Page } from "#api/pages/page";
import type { AskedConsent } from "#identity/oauth-server/server";

export interface ConsentState {
  readonly asked: AskedConsent;
  readonly email: string;
  readonly orgName: string;
  readonly csrfToken: string;
}

/** MCP: names the client, what it gets, and where the browser goes; nothing of it may look like more than a claim. */
export function consentPage({ asked, email, orgName, csrfToken }: ConsentState): Page {
  const { clientName, slug } = asked;
  const gets =
    slug === undefined
      ? "Every tool that you may use here, in your name and with your connections"
      : `The tools of “${slug}” that you may use, in your name and with your connection`;
  const body = html`<p><strong>${clientName}</strong> asks to work with ${orgName} as <strong>${email}</strong>.</p>
<dl>
<dt>Gets</dt><dd>${gets}</dd>
<dt>Is</dt><dd>${whoItIs(asked)}</dd>
<dt>Leads to</dt><dd>${whereTo(asked.redirectUri)}</dd>
</dl>
<p>Allow this only if you have just asked for it yourself. You can end it at any time.</p>
<form method="post">
<input type="hidden" name="csrf_token" value="${csrfToken}">
<button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="deny">Deny</button>
</form>`;
  return { title: "Connect a client", body, leadsTo: policySource(asked.redirectUri) };
}

function whoItIs({ isDocument, clientId }: AskedConsent): Html {
  if (isDocument) return html`The client that ${new URL(clientId).host} describes, at <code>${clientId}</code>`;
  return html`A client that registered itself; nobody has checked its name`;
}

function whereTo(redirectUri: string): Html {
  const url = new URL(redirectUri);
  if (url.protocol === "https:") return html`<code>${url.host}</code>`;
  if (url.protocol === "http:") return html`A program on this computer, <code>${url.host}</code>`;
  return html`An app on this computer, <code>${url.protocol}</code>`;
}

/** Browsers hold the whole way that a form leads to its page's policy. */
function policySource(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol === "https:" || url.protocol === "http:" ? url.origin : url.protocol;
}
