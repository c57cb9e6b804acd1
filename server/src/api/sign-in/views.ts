import { type Html, html } from "#api/pages/html";
import type { Page } from "#api/pages/page";

/** Common to all forms of these pages. */
export interface FormState {
  readonly csrfToken: string;
  /** Error message of the last attempt. */
  readonly fault?: string | undefined;
}

const PASSWORD_HINT = "At least 12 characters and hard to guess";

export interface SignInState extends FormState {
  readonly email: string;
  readonly returnTo: string;
  /** Available sign-in methods. */
  readonly local: boolean;
  readonly sso: boolean;
  readonly hasOwner: boolean;
}

export function signInPage(state: SignInState): Page {
  const { fault, local, sso, returnTo, hasOwner } = state;
  const link = html`<a class="button" href="sso?return_to=${encodeURIComponent(returnTo)}">Sign in with SSO</a>`;
  const notice = hasOwner ? undefined : html`<p role="note">This installation has no owner yet.</p>${SETUP_HELP}`;
  const body = html`${notice}${alert(fault)}${sso ? link : undefined}
${sso && local ? html`<p class="or">or</p>` : undefined}
${local ? passwordSignIn(state) : undefined}`;
  return { title: "Sign in", body };
}

const SETUP_HELP = html`<p>Open the setup link that Gatehouse printed when it started, and create the owner account. The link is valid for one hour.</p>
<p>To print a new link, run this command where Gatehouse runs:</p>
<pre><code>gatehouse owner-link</code></pre>`;

/** Shown instead of the sign-in form while nobody can sign in. */
export function setupNeededPage(): Page {
  return {
    title: "No owner yet",
    body: html`<p>This installation has no owner yet.</p>
${SETUP_HELP}`,
  };
}

function passwordSignIn(state: SignInState): Html {
  return html`<form method="post" action="sign-in">
${hidden("csrf_token", state.csrfToken)}${hidden("return_to", state.returnTo)}
<label>Email <input name="email" type="email" value="${state.email}" autocomplete="username" required autofocus></label>
${password("Password", "password", "current-password")}
<button>Sign in</button>
</form>`;
}

export function setupPage(
  state: FormState & { readonly code: string; readonly name: string; readonly email: string },
): Page {
  const body = html`<p>Create the owner account of this installation. Owners have full access and can invite other people.</p>
${alert(state.fault)}<form method="post" action="setup-link">
${hidden("csrf_token", state.csrfToken)}
${codeField("Setup link", state.code)}
<label>Your name <input name="name" value="${state.name}" autocomplete="name" maxlength="200" required></label>
<label>Email <input name="email" type="email" value="${state.email}" autocomplete="username" required></label>
${password("Password", "password", "new-password", PASSWORD_HINT)}
<button>Create owner account</button>
</form>`;
  return { title: "Set up Gatehouse", body };
}

export function invitationPage(state: FormState & { readonly code: string }): Page {
  const body = html`<p>Choose a password for signing in.</p>
${alert(state.fault)}<form method="post" action="invite">
${hidden("csrf_token", state.csrfToken)}
${codeField("Invitation link", state.code)}
${password("Password", "password", "new-password", PASSWORD_HINT)}
<button>Accept invitation</button>
</form>`;
  return { title: "Accept your invitation", body };
}

/** Shown in a popup, which notifies the waiting page (WEB-7). */
export function confirmedPage(): Page {
  const sentence = "Your identity is confirmed. You can close this window.";
  return { title: "Confirmed", body: html`<p role="status" data-outcome="confirmed" data-close>${sentence}</p>` };
}

function alert(fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<p role="alert">${fault}</p>`;
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function password(label: string, name: string, use: string, hint?: string): Html {
  const hintText = hint === undefined ? undefined : html` <small>${hint}</small>`;
  return html`<label>${label}${hintText} <input name="${name}" type="password" autocomplete="${use}" maxlength="256" required></label>`;
}

/** The script fills it in from the URL. Without scripts, people paste the whole link. */
function codeField(label: string, code: string): Html {
  return html`<label>${label} <small>Paste the whole link</small> <input name="code" value="${code}" data-from-link autocomplete="off" required></label>`;
}
