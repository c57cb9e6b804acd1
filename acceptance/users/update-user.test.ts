import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

const of = (email: string) => `/api/users?email=${encodeURIComponent(email)}`;

forEachTarget("PATCH /api/users", (api) => {
  const patch = async (email: string, body: object) => {
    const { data, ...rest } = await api.body(200, "PATCH", of(email), body);
    assert.deepEqual(rest, {});
    return data;
  };

  it("changes only the given fields, and finds the email without regard to case [S4.4-update]", async () => {
    const { email } = await api.person();
    const renamed = await patch(email.toUpperCase(), { name: "Renamed" });
    assert.deepEqual([renamed.name, renamed.email, renamed.risk_score], ["Renamed", email, null]);
    const scored = await patch(email, { risk_score: 12.5 });
    assert.deepEqual([scored.name, scored.risk_score], ["Renamed", 12.5]);
    const { updated_at: _then, ...before } = scored;
    const { updated_at: _now, ...after } = await patch(email, {});
    assert.deepEqual(after, before);
  });

  it("null clears the risk score [S2.6-risk-score]", async () => {
    const { email } = await api.person();
    for (const score of [0, 100, null]) assert.equal((await patch(email, { risk_score: score })).risk_score, score);
    for (const score of [-1, 101, "7", true]) {
      const message = "risk_score: must be a number from 0 to 100, or null";
      await api.invalid(message, "PATCH", of(email), { risk_score: score });
    }
  });

  it("400 for client_credentials, which have a separate operation after creation [S2.6-client-credentials]", async () => {
    const bot = await api.machineUser();
    const client = { clientId: "id", clientSecret: "kept-secret", tokenUrl: "https://id.example.com/token" };
    const refusal = "can only be set on creation. Change them with PUT /api/users/client-credentials";
    for (const client_credentials of [client, null, {}]) {
      await api.invalid(`client_credentials: ${refusal}`, "PATCH", of(bot.email), { client_credentials });
    }
    const path = `/api/users/client-credentials?email=${encodeURIComponent(bot.email)}`;
    const shown = async () => {
      const { data } = await api.body(200, "GET", `/api/users?search=${bot.email}&include_details=true`);
      return data[0].client_credentials;
    };
    const answer = await api.body(200, "PUT", path, { client_credentials: client });
    assert.equal(JSON.stringify(answer).includes("kept-secret"), false);
    assert.deepEqual(await shown(), { client_id: "id", token_url: client.tokenUrl });
    await api.body(200, "PUT", path, { client_credentials: null });
    assert.equal(await shown(), null);
  });

  it("owner_ids replaces all owners, and an empty list removes all [S2.6-owners S4.4-update-owners]", async () => {
    const [a, b] = [await api.person(), await api.person()];
    const bot = await api.machineUser({ owner_ids: [a.id] });
    assert.deepEqual((await patch(bot.email, { owner_ids: [b.id] })).owner_ids, [b.id]);
    assert.deepEqual((await patch(bot.email, { name: "Bot" })).owner_ids, [b.id]);
    assert.deepEqual((await patch(bot.email, { owner_ids: [] })).owner_ids, []);
  });

  it("400 for owners of a person [S2.6-owners-machine-only S4.4-update-errors]", async () => {
    const { email } = await api.person();
    const message = "owner_ids: owner_ids can only be set on machine users";
    await api.invalid(message, "PATCH", of(email), { owner_ids: [] });
  });

  it("400 without the email parameter, 404 with the requested email [S4.4-update-errors S7-missing-parameter S7-not-found]", async () => {
    await api.invalid("email query parameter is required", "PATCH", "/api/users", {});
    const unknown = `${api.unique("Unknown")}@example.com`;
    await api.expect(404, { error: `User not found: ${unknown}` }, "PATCH", of(unknown), {});
  });
});
