import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { causeOfFailure } from "./failure-cause.ts";

describe("causeOfFailure", () => {
  for (const [message, cause, text] of [
    ['Server "a" could not be reached: DNS lookup failed', "dns", "DNS lookup failed for api.example.com"],
    ['Server "a" could not be reached: connection refused', "refused", "Connection refused"],
    ['Server "a" could not be reached: TLS certificate expired', "tls", "TLS certificate expired"],
    ['Server "a" requires a sign-in, or rejected the credential (HTTP 401)', "unauthorized", "401 Unauthorized"],
    ['Server "a" refused access (HTTP 403): the credential may lack permissions', "unauthorized", "403 Forbidden"],
    ['Server "a" answered with HTTP 503', "server_error", "HTTP 503"],
    ['Server "a" answered with HTTP 404', "invalid_response", "HTTP 404"],
    ['Server "a" did not finish within 30 s', "timeout", "Timed out after 30 s"],
    ['Server "a" did not respond in time', "timeout", "Timed out"],
    ['Server "a" sent a response that is not MCP', "invalid_response", "Sent a response that is not MCP"],
    ['Server "a" sent an invalid session ID', "invalid_response", "Sent an invalid session ID"],
    ['Server "a" could not be reached', "other", "Could not be reached"],
    ['Server "a" exited before it responded', "other", "Exited before it responded"],
    [
      'Server "a" closed the connection before its response was complete',
      "other",
      "Closed the connection before its response was complete",
    ],
  ] as const) {
    it(`returns ${cause} for: ${message}`, () => {
      assert.deepEqual(causeOfFailure(message, { host: "api.example.com" }), { cause, text });
    });
  }

  it("uses the measured duration of a timeout without seconds in its message", () => {
    assert.deepEqual(causeOfFailure('Server "a" did not respond in time', { seconds: 60 }), {
      cause: "timeout",
      text: "Timed out after 60 s",
    });
  });
});
