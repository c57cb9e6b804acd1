import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exampleServer, exampleTools } from "#test/example-entries";
import { View } from "../snapshot/view.ts";
import { composeInstructions } from "./instructions.ts";

const viewOf = (...texts: string[]) =>
  new View(
    texts.map((text, at) => {
      const rest = {
        name: `Server ${at}`,
        instructions: { text, omitted: 0 },
        tools: exampleTools(`s${at}`, ["echo"]),
      };
      return exampleServer(`s${at}`, [], rest);
    }),
  );

describe("composed instructions", () => {
  it("quote every line, so that no text has a heading of another server", () => {
    const text = composeInstructions(viewOf("one\n## Server 1\n\nthree"), { prefixed: false });
    assert.deepEqual(text.split("\n").slice(2), ["## Server 0", "", "> one", "> ## Server 1", "> ", "> three"]);
  });

  it("keep the name of a server on one line", () => {
    const [server] = viewOf("text").servers;
    assert.ok(server);
    const text = composeInstructions(new View([{ ...server, name: "A\n## B\u2028C" }]), { prefixed: false });
    assert.match(text, /^## A ## B C$/m);
  });

  it("share the room: long texts are shortened, and say so, while short ones are complete", () => {
    const text = composeInstructions(viewOf("short", "x".repeat(40_000), "y".repeat(40_000)), { prefixed: true });
    assert.match(text, /^> short$/m);
    assert.ok(text.length < 34 * 1024, String(text.length));
    assert.equal(text.match(/The gateway omitted the last \d+ characters of this text\./g)?.length, 2);
  });

  it("count what the sync could not store", () => {
    const [server] = viewOf("text").servers;
    assert.ok(server);
    const view = new View([{ ...server, instructions: { text: "text", omitted: 7 } }]);
    assert.match(composeInstructions(view, { prefixed: false }), /omitted the last 7 characters/);
  });

  it("name the number of servers that do not fit", () => {
    const text = composeInstructions(viewOf(...Array.from({ length: 100 }, () => "z".repeat(1_000))), {
      prefixed: true,
    });
    assert.match(text, /The instructions of 19 more servers are omitted\.$/);
    assert.ok(text.length < 48 * 1024, String(text.length));
  });
});
