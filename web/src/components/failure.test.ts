import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeFailure } from "./failure.ts";

describe("describeFailure", () => {
  it("names the request ID of errors of the service", () => {
    const failure = describeFailure({ status: 500, message: "The query failed.", requestId: "req_1" });
    assert.equal(failure.title, "Something went wrong in Gatehouse");
    assert.equal(failure.detail, "The query failed.");
    assert.match(failure.next, /send the request ID/);
    assert.equal(failure.requestId, "req_1");
  });

  it("reports an answer of a proxy as an unreachable service, without asking for a request ID", () => {
    const failure = describeFailure({ status: 502, message: "The service answered with status 502" });
    assert.equal(failure.title, "Gatehouse is unreachable");
    assert.doesNotMatch(failure.next, /request ID/);
  });
});
