import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { forEachApi } from "#test/api";
import { signedInAs } from "#test/browser";
import { createGroup, createServer, createSyncedServer } from "#test/factories";
import { startRawUpstream } from "#test/upstreams/raw";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";

const SECRET = `whsec_${Buffer.from("canary-of-the-webhook-secret").toString("base64")}`;

forEachApi(
  "webhooks",
  (api) => {
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await startWebhookReceiver();
    });
    after(() => receiver.close());
    beforeEach(async () => {
      await api.db.deleteFrom("webhooks").execute();
      receiver.requests.length = 0;
      receiver.answer = (response) => void response.end("ok");
    });
    const create = async (body: object = {}) => {
      const defaults = { name: "On-call", url: receiver.url, events: ["tools.held"] };
      const answer = await api.call("POST", "/api/webhooks", { ...defaults, ...body });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    };
    const listed = async (id: string, query = "") =>
      (await api.call("GET", `/api/webhooks/${id}/deliveries${query}`)).body.data;
    const settled = async (id: string, attempts: number) => {
      for (let tries = 0; tries < 100; tries++) {
        const [row] = await listed(id);
        if (row?.attempts === attempts) return row;
        await sleep(100);
      }
      assert.fail(JSON.stringify(await listed(id)));
    };
    const sent = (at = 0) => JSON.parse(receiver.requests[at]?.body ?? "{}");

    describe("as records", () => {
      it("are created with defaults and a secret that is returned once", async () => {
        const { data, secret } = await create();
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
        assert.deepEqual(
          [data.format, data.enabled, data.last_delivery, data.disabled_reason],
          ["json", true, null, null],
        );
        for (const path of ["/api/webhooks", `/api/webhooks/${data.id}`]) {
          const { status, text } = await api.call("GET", path);
          assert.equal(status, 200);
          assert.equal(text.includes(secret), false);
          assert.equal(text.includes("sealed"), false);
        }
      });

      it("do not return a secret that the request contains", async () => {
        const { data, secret } = await create({ secret: SECRET });
        assert.equal(secret, undefined);
        await api.call("POST", `/api/webhooks/${data.id}/test`);
        const [request] = await receiver.received(1);
        new Webhook(SECRET).verify(request?.body ?? "", request?.headers as Record<string, string>);
      });

      it("repeat an idempotent creation without the secret", async () => {
        const body = { name: "Once", url: receiver.url, events: ["tools.held"] };
        const key = { "idempotency-key": "create-once" };
        const first = await api.call("POST", "/api/webhooks", body, key);
        const second = await api.call("POST", "/api/webhooks", body, key);
        assert.deepEqual([second.status, second.body], [201, { data: first.body.data }]);
      });

      it("are updated and deleted by ID", async () => {
        const { data } = await create();
        const changes = { name: "Security", events: ["security.alert", "tools.held", "tools.held"], enabled: false };
        const answer = await api.call("PATCH", `/api/webhooks?id=${data.id}`, changes);
        assert.deepEqual(
          [answer.body.data.name, answer.body.data.events, answer.body.data.enabled, answer.body.data.url],
          ["Security", ["tools.held", "security.alert"], false, receiver.url],
        );
        await api.expect(200, { message: "Webhook deleted successfully" }, "DELETE", `/api/webhooks?id=${data.id}`);
        await api.expect(404, { error: "Webhook not found" }, "DELETE", `/api/webhooks?id=${data.id}`);
        await api.expect(404, { error: "Webhook not found" }, "GET", `/api/webhooks/${data.id}`);
        await api.expect(404, { error: "Webhook not found" }, "GET", `/api/webhooks/${data.id}/deliveries`);
      });

      it("are rejected with the field that is wrong", async () => {
        await create({ name: "Taken" });
        const valid = { name: "New", url: "https://hooks.example.com", events: ["tools.held"] };
        const table: [object, string][] = [
          [{ name: undefined }, "name: name is required"],
          [{ name: " " }, "name: name is required"],
          [{ name: "x".repeat(101) }, "name: must be at most 100 characters"],
          [{ name: "TAKEN" }, "name: webhook with this name already exists"],
          [{ url: undefined }, "url: url is required"],
          [{ url: 5 }, "url: must be a string"],
          [{ url: "hooks.example.com" }, "url: must be a valid http or https URL"],
          [{ url: "ftp://hooks.example.com" }, "url: must be a valid http or https URL"],
          [{ url: "javascript:alert(1)" }, "url: must be a valid http or https URL"],
          [{ url: "https://user:password@hooks.example.com" }, "url: must be a valid http or https URL"],
          [{ url: `https://hooks.example.com/${"x".repeat(2_000)}` }, "url: must be at most 2000 characters"],
          [{ url: "http://10.0.0.1/" }, "url: address 10.0.0.1 is private; add it to EGRESS_ALLOW to allow it"],
          [{ url: "http://169.254.169.254/" }, "url: address 169.254.169.254 is link-local, which is never allowed"],
          [{ url: "http://hooks.example.com:22/" }, "url: port 22 is not allowed"],
          [{ events: undefined }, "events: events is required"],
          [{ events: "tools.held" }, "events: must be an array"],
          [{ events: [] }, "events: must contain at least one event"],
          [{ events: ["tools.held", "tools.lost"] }, 'events.1: unknown event "tools.lost"'],
          [{ events: [7] }, "events.0: unknown event 7"],
          [{ format: "xml" }, "format: must be one of json, slack"],
          [{ enabled: "yes" }, "enabled: must be true or false"],
          [{ secret: "hunter2" }, "secret: must be whsec_ followed by 24 to 64 bytes in base64"],
          [{ secret: "whsec_c2hvcnQ=" }, "secret: must be whsec_ followed by 24 to 64 bytes in base64"],
          [{ secret: 5 }, "secret: must be a string"],
        ];
        for (const [wrong, message] of table)
          await api.invalid(message, "POST", "/api/webhooks", { ...valid, ...wrong });
        const { data } = await create({ name: "Other" });
        for (const [wrong, message] of table) {
          if (Object.values(wrong)[0] === undefined) continue;
          await api.invalid(message, "PATCH", `/api/webhooks?id=${data.id}`, wrong);
        }
        await api.invalid("id query parameter is required", "PATCH", "/api/webhooks", {});
        const rotate = `/api/webhooks/${data.id}/rotate-secret`;
        await api.invalid("overlap_hours: must be between 0 and 168", "POST", rotate, { overlap_hours: 169 });
        assert.equal((await api.call("GET", "/api/webhooks")).body.data.length, 2);
      });

      it("are limited to 100", async () => {
        const { data } = await create();
        const row = await api.db.selectFrom("webhooks").selectAll().where("id", "=", data.id).executeTakeFirstOrThrow();
        const more = Array.from({ length: 99 }, (_, n) => ({ ...row, id: `whk_${n}`, name: `${n}`, name_key: `${n}` }));
        await api.db.insertInto("webhooks").values(more).execute();
        const body = { name: "One more", url: receiver.url, events: ["tools.held"] };
        await api.invalid("name: there are 100 webhooks; delete one first", "POST", "/api/webhooks", body);
      });

      it("list the events with descriptions", async () => {
        const { body } = await api.call("GET", "/api/webhook-events");
        assert.equal(body.data.length, 12);
        assert.ok(body.data.every((event: { description: string }) => event.description.length > 20));
      });
    });

    describe("deliver", () => {
      it("a test event, also while disabled, and return its result", async () => {
        const { data, secret } = await create({ enabled: false });
        receiver.answer = (response) => void response.writeHead(503).end("down for maintenance");
        const { body } = await api.call("POST", `/api/webhooks/${data.id}/test`);
        assert.deepEqual([body.data.event, body.data.status, body.data.attempts], ["webhook.test", "failed", 1]);
        assert.deepEqual(
          [body.data.attempt_log[0].response_status, body.data.attempt_log[0].response],
          [503, "down for maintenance"],
        );
        const [request] = receiver.requests;
        assert.equal(request?.body, body.data.request_body);
        new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>);
        await api.expect(404, { error: "Webhook not found" }, "POST", "/api/webhooks/whk_none/test");
        assert.equal((await api.call("GET", `/api/webhooks/${data.id}`)).body.data.failing_since, null);
      });

      it("access requests", async () => {
        await create({ events: ["access.requested"] });
        const upstream = await startRawUpstream();
        await createSyncedServer(api.service, "Desk", upstream.url);
        const ada = await signedInAs(api.service, "member", "ada@example.com");
        const asked = await ada.api("POST", "/api/me/requests", { server: "desk", reason: "For on-call" });
        assert.equal(asked.status, 201, asked.text);
        await receiver.received(1);
        await upstream.close();
        assert.deepEqual(sent().data, {
          request_id: asked.body.data.id,
          person: { email: "ada@example.com", name: sent().data.person.name },
          server: { slug: "desk", name: "Desk" },
          tools: [],
          reason: "For on-call",
          url: "http://127.0.0.1:8080/access?tab=requests",
        });
      });

      it("servers that become unreachable and recover, once per change", async () => {
        await create({ events: ["server.unhealthy", "server.healthy"] });
        const upstream = await startRawUpstream();
        await createSyncedServer(api.service, "Flaky", upstream.url);
        upstream.behave = () => ({ status: 503 });
        for (let n = 0; n < 2; n++) await api.call("POST", "/api/mcp-servers/flaky/sync");
        await receiver.received(1);
        assert.deepEqual(
          [sent().type, sent().data.server, sent().data.status],
          ["server.unhealthy", { slug: "flaky", name: "Flaky" }, "unreachable"],
        );
        upstream.behave = () => "json";
        for (let n = 0; n < 2; n++) await api.call("POST", "/api/mcp-servers/flaky/sync");
        await receiver.received(2);
        assert.equal(sent(1).type, "server.healthy");
        await sleep(1_500);
        assert.equal(receiver.requests.length, 2);
        await upstream.close();
        await createServer(api.service, "Draft", "http://127.0.0.1:65001/mcp", { status: "draft" });
        await api.call("POST", "/api/mcp-servers/draft/sync");
        await sleep(1_500);
        assert.equal(receiver.requests.length, 2, "drafts are not reported");
      });

      it("tools that a sync holds for review", async () => {
        await create();
        const upstream = await startRawUpstream({ tools: [{ name: "search", inputSchema: { type: "object" } }] });
        const slug = await createSyncedServer(api.service, "Changing", upstream.url);
        await api.call("PATCH", "/api/mcp-servers?slug=changing", { tool_policy: "hold" });
        upstream.tools = [{ name: "search", description: "Changed", inputSchema: { type: "object" } }];
        await api.call("POST", "/api/mcp-servers/changing/sync");
        await receiver.received(1);
        await upstream.close();
        const { server, total, tools } = sent().data;
        assert.deepEqual(
          [server.name, total, tools],
          ["Changing", 1, [{ name: "search", kind: "tool", change: "changed" }]],
        );
        assert.ok(slug);
      });

      it("security alerts without the values of the change", async () => {
        await create({ events: ["security.alert"] });
        await api.call("POST", "/api/api-tokens", { name: "Reader", scopes: ["admin:read"] });
        const { token } = (await api.call("POST", "/api/api-tokens", { name: "Root", scopes: ["all"] })).body;
        await receiver.received(1);
        const { data } = sent();
        assert.deepEqual([data.operation, data.target.name, data.actor.type], ["createApiToken", "Root", "api-token"]);
        assert.equal(receiver.requests[0]?.body.includes(token), false);
        const audit = await api.call("GET", "/api/audit?operation=createApiToken&limit=1");
        assert.equal(audit.body.data[0].id, data.audit_id);
        await createGroup(api.service, "Quiet");
        await sleep(1_500);
        assert.equal(receiver.requests.length, 1, "other changes are no alerts");
      });

      it("an event again on request, with the same ID, and list it by status and event", async () => {
        const { data } = await create({ events: ["security.alert"] });
        await api.call("POST", "/api/api-tokens", { name: "Root", scopes: ["all"] });
        const row = await settled(data.id, 1);
        assert.equal(row.status, "delivered");
        const path = `/api/webhooks/${data.id}/deliveries/${row.id}`;
        assert.equal((await api.call("POST", `${path}/redeliver`)).body.data.status, "pending");
        await receiver.received(2);
        const again = await settled(data.id, 2);
        assert.deepEqual([again.status, again.event_id], ["delivered", receiver.requests[1]?.headers["webhook-id"]]);
        assert.equal((await listed(data.id, "?status=delivered")).length, 1);
        assert.equal((await listed(data.id, "?status=failed")).length, 0);
        assert.equal((await listed(data.id, "?event=tools.held")).length, 0);
        const detail = (await api.call("GET", path)).body.data;
        assert.equal(detail.attempt_log.length, 2);
        assert.equal(detail.request_body, receiver.requests[1]?.body);
        await api.expect(404, { error: "Delivery not found" }, "GET", `/api/webhooks/${data.id}/deliveries/whd_none`);
        await api.call("PATCH", `/api/webhooks?id=${data.id}`, { enabled: false });
        const refused = await api.call("POST", `${path}/redeliver`);
        assert.deepEqual([refused.status, refused.body.code], [409, "CONFLICT"]);
      });

      it("with both secrets after a rotation", async () => {
        const { data, secret } = await create();
        const rotated = await api.call("POST", `/api/webhooks/${data.id}/rotate-secret`, { overlap_hours: 1 });
        assert.notEqual(rotated.body.secret, secret);
        const left = Date.parse(rotated.body.data.previous_secret_expires_at) - Date.now();
        assert.ok(left > 3_500_000 && left <= 3_600_000);
        await api.call("POST", `/api/webhooks/${data.id}/test`);
        const { body = "", headers } = receiver.requests[0] ?? {};
        for (const one of [secret, rotated.body.secret])
          new Webhook(one).verify(body, headers as Record<string, string>);
        const last = await api.call("POST", `/api/webhooks/${data.id}/rotate-secret`, { overlap_hours: 0 });
        assert.equal(last.body.data.previous_secret_expires_at, null);
        await api.call("POST", `/api/webhooks/${data.id}/test`);
        const { body: text = "", headers: sentHeaders } = receiver.requests[1] ?? {};
        assert.throws(() => new Webhook(rotated.body.secret).verify(text, sentHeaders as Record<string, string>));
      });

      it("no secret and no Slack URL into the audit log, the answers or the log", async () => {
        const hook = `${receiver.url}/services/T0/B0/canaryOfASlackUrl`;
        const { data } = await create({ secret: SECRET, url: hook, format: "slack" });
        await api.call("PATCH", `/api/webhooks?id=${data.id}`, { secret: SECRET, name: "Renamed" });
        await api.call("POST", `/api/webhooks/${data.id}/test`);
        assert.ok(sent().text.includes("Test event"));
        await api.call("DELETE", `/api/webhooks?id=${data.id}`);
        await create({ name: "Query", url: `${receiver.url}/?token=canaryOfAQuery` });
        const audit = (await api.call("GET", "/api/audit?limit=200")).text;
        const log = api.lines.join("");
        for (const text of [audit, log]) {
          assert.equal(text.includes(SECRET), false);
          assert.equal(text.includes("canaryOfASlackUrl"), false);
          assert.equal(text.includes("canaryOfAQuery"), false);
        }
        assert.ok(audit.includes("testWebhook"));
      });
    });
  },
  { log: "kept" },
);
