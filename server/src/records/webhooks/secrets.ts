import type { RandomBytes } from "#lib/random";
import type { Vault } from "#storage/vault";
import type { WebhookRow } from "#storage/webhook-tables";

/** Standard Webhooks: between 24 and 64 random bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const NEW_BYTES = 32;
const SECRET = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;

export function newWebhookSecret(random: RandomBytes): string {
  return `whsec_${Buffer.from(random(NEW_BYTES)).toString("base64")}`;
}

export function isWebhookSecret(secret: string): boolean {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString("base64") === encoded;
}

type SecretColumn = "sealed_secret" | "sealed_previous_secret";

export function sealWebhookSecret(vault: Vault, id: string, secret: string, column: SecretColumn): string {
  return vault.seal("webhook-secret", { table: "webhooks", row: id, column }, secret);
}

/** The secrets that sign now, the current one first. */
export function openWebhookSecrets(
  vault: Vault,
  row: Pick<WebhookRow, "id" | "sealed_secret" | "sealed_previous_secret" | "previous_secret_expires_at">,
  now: number,
): string[] {
  const open = (column: SecretColumn, sealed: string) =>
    vault.open("webhook-secret", { table: "webhooks", row: row.id, column }, sealed);
  const secrets = [open("sealed_secret", row.sealed_secret)];
  const { sealed_previous_secret: previous, previous_secret_expires_at: expiresAt } = row;
  if (previous !== null && expiresAt !== null && expiresAt > now)
    secrets.push(open("sealed_previous_secret", previous));
  return secrets;
}
