import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { redactPayload } from "./redact-payload.ts";

describe("a redacted payload", () => {
  it("omits the values of members with secret-like names, in any spelling", () => {
    const names = ["password", "userPassword", "client_secret", "clientSecret", "apiKey", "X-API-Key", "api.key"];
    names.push("token", "accessToken", "refresh_token", "Authorization", "cookie", "privateKey", "credentials", "pin");
    for (const name of names) {
      for (const value of ["x", 42, ["x"], { deep: "x" }]) {
        assert.deepEqual(redactPayload({ [name]: value }), { [name]: "[redacted]" }, name);
      }
    }
    const plain = { progressToken: 7, maxTokens: 100, next_token: "b", key_count: 2, spinner: "c", monkey: "d" };
    assert.deepEqual(redactPayload(plain), plain);
  });

  it("omits credentials with a recognizable format from any text", () => {
    for (const secret of [
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
      "ghp_0123456789abcdefghij0123456789abcdef",
      "sk-proj-0123456789abcdefghij",
      "AKIA0123456789ABCDEF",
      "xoxb-1234567890-abcdefghij",
      "gh_sk_0123456789012345678901234567890123456789012abcdef",
      "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo=",
    ]) {
      const text = redactPayload([`use ${secret} for it`]);
      assert.ok(!JSON.stringify(text).includes(secret.slice(4, 20)), JSON.stringify(text));
    }
    for (const text of [
      "password=hunter2",
      '{"token": "hunter2"}',
      "Bearer hunter2",
      "https://u:hunter2@example.com",
    ]) {
      assert.ok(!String(redactPayload(text)).includes("hunter2"), text);
    }
  });

  it("keeps structure, numbers and short texts, and reports the length of long texts", () => {
    const value = { a: [1, null, true, { b: "hello", id: "3f2a6c1e-8a54-4f6e-9d0c-2b7c1d5e9f10" }], c: -0.5 };
    assert.deepEqual(redactPayload(value), value);
    assert.deepEqual(redactPayload(["x".repeat(513)]), ["[513 characters]"]);
  });
});
