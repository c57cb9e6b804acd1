/** Trusted issuers with issued credentials, for the app's tests and screenshots. */
import assert from "node:assert/strict";
import type { MainDb } from "#storage/database";
import type { ExchangeCredentialRow } from "#storage/exchange-tables";
import type { Service } from "./start-service.ts";

const MINUTE_MS = 60_000;

export async function seedIssuers(service: Service, db: MainDb, now: number, machineUser: string): Promise<void> {
  const path = "/api/auth-exchange/providers";
  const ci = await service.api("POST", path, {
    ...{ name: "GitHub Actions", issuer: "https://token.actions.githubusercontent.com" },
    ...{ audiences: ["https://gatehouse.acme.example"], require_api_key: false },
    conditions: [
      { claim: "repository", operator: "matches", value: "acme/*" },
      { claim: "ref", operator: "equals", value: "refs/heads/main" },
    ],
    subject: { mode: "fixed", machine_user: machineUser },
  });
  assert.equal(ci.status, 201, ci.text);
  const people = await service.api("POST", path, {
    ...{ name: "Acme identity provider", issuer: "https://idp.acme.example", audiences: ["gatehouse"] },
    ...{ enabled: false, provision: { create_users: true } },
  });
  assert.equal(people.status, 201, people.text);
  const bot = await db.selectFrom("users").select("id").where("email", "=", machineUser).executeTakeFirstOrThrow();
  const row = (at: number, changes: Partial<ExchangeCredentialRow>): ExchangeCredentialRow => ({
    ...{ id: `exc_seed${at}`, provider_id: ci.body.data.id, user_id: bot.id, client_id: null, scopes: ["mcp"] },
    ...{ subject: "repo:acme/app:ref:refs/heads/main", token_prefix: "gh_ex_00000000000000000000" },
    ...{ resource_path: null, server_id: null, sealed_token: null, token_expires_at: now + 5 * MINUTE_MS },
    ...{ expires_at: now + 5 * MINUTE_MS, last_used_at: now - at * MINUTE_MS, created_at: now - at * MINUTE_MS },
    ...{ revoked_at: null, end_reason: null, ip: "192.0.2.17" },
    ...changes,
  });
  const rows = [
    row(2, {}),
    row(4, { subject: "repo:acme/website:ref:refs/heads/main" }),
    row(70, { expires_at: now - 60 * MINUTE_MS }),
    row(90, { revoked_at: now - 80 * MINUTE_MS, end_reason: "reused", expires_at: now - 60 * MINUTE_MS }),
  ];
  await db.insertInto("exchange_credentials").values(rows).execute();
}
