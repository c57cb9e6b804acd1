import { type Html, html } from "#api/pages/html";
import type { Page } from "#api/pages/page";
import type { SsoPreview } from "#identity/preview-sso";

const MAX_VALUE_LENGTH = 2_000;
const MAX_CLAIMS = 200;

/** The result of a test sign-in. Every value comes from the provider. */
export function ssoTestPage(
  { email, user, creates, groups }: SsoPreview,
  reason: string | undefined,
  claims: Readonly<Record<string, unknown>>,
): Page {
  const account = creates
    ? `A new account would be created for ${email}.`
    : `${user?.name ?? ""} (${user?.email ?? ""}) would be signed in as ${user?.role ?? ""}.`;
  const outcome =
    reason === undefined
      ? html`<p role="status" data-outcome="accepted">The sign-in would succeed. ${account}</p>`
      : html`<p role="alert" data-outcome="rejected">The sign-in would be rejected. The person would see: ${reason}</p>`;
  const body = html`<p>This was a test. You were not signed in with this account, and nothing was changed.</p>
${outcome}
<h2>Groups</h2>
<dl>
${named("Joins", [...groups.joins.values()])}
${named("Leaves", [...groups.leaves.values()])}
${named("Stays in", [...groups.keeps.values()])}
${named("Managed by SCIM, not changed", [...groups.managedByScim.values()])}
${named("Values without a group", groups.unmapped)}
</dl>
<h2>Claims received</h2>
<dl>${Object.entries(claims).slice(0, MAX_CLAIMS).map(claim)}</dl>
<p>You can close this window.</p>`;
  return { title: "Test sign-in", body };
}

function named(label: string, names: readonly string[]): Html | undefined {
  return names.length === 0 ? undefined : html`<dt>${label}</dt><dd>${names.join(", ")}</dd>`;
}

function claim([name, value]: [string, unknown]): Html {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return html`<dt><code>${name}</code></dt><dd>${text.slice(0, MAX_VALUE_LENGTH)}</dd>`;
}
