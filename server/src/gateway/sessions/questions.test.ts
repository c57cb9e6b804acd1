import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MCP_2025_11_25 } from "#test/gateway-kit";
import { type Question, Questions } from "./questions.ts";

/** A seal that is not secret: only its use is tested. */
let sealed = 0;
const SEAL = {
  seal: (text: string) => Buffer.from(`${text}${"proof".repeat(5)}${++sealed}`).toString("base64url"),
  open(token: string) {
    const text = Buffer.from(token, "base64url").toString();
    const end = text.indexOf("proof".repeat(5));
    return end === -1 ? undefined : text.slice(0, end);
  },
};
const QUESTION: Question = {
  userId: "usr_1",
  mcpSessionId: "s1",
  serverId: "srv_1",
  from: { url: "http://upstream/mcp", path: undefined, version: MCP_2025_11_25, sessionId: "abc" },
  rawId: "7",
};

describe("the token of a question", () => {
  it("identifies the recipient of the response for any process", () => {
    const token = new Questions(SEAL).tokenOf(QUESTION);
    assert.deepEqual(new Questions(SEAL).take(token, "usr_1", "s1"), QUESTION);
    const bare = {
      ...QUESTION,
      from: { url: "http://upstream/sse", path: "/messages", version: undefined, sessionId: undefined },
    };
    assert.deepEqual(new Questions(SEAL).find(new Questions(SEAL).tokenOf(bare), "usr_1", "s1"), bare);
  });

  it("is rejected for another user or session, and accepted only once", () => {
    const questions = new Questions(SEAL);
    const token = questions.tokenOf(QUESTION);
    assert.equal(questions.take(token, "usr_2", "s1"), undefined);
    assert.equal(questions.take(token, "usr_1", "s2"), undefined);
    assert.ok(questions.take(token, "usr_1", "s1"));
    assert.equal(questions.take(token, "usr_1", "s1"), undefined);
    assert.ok(questions.take(questions.tokenOf(QUESTION), "usr_1", "s1"));
  });

  it("is undefined for an invalid token, and is not created for very long ids", () => {
    const questions = new Questions(SEAL);
    for (const token of [undefined, 7, "", "x", "x".repeat(100_000)])
      assert.equal(questions.take(token, "usr_1", "s1"), undefined);
    assert.equal(questions.tokenOf({ ...QUESTION, rawId: JSON.stringify("x".repeat(300)) }), undefined);
  });
});
