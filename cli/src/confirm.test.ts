import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { confirm } from "./confirm.ts";

async function prompt(answer: string, isTTY = true): Promise<string> {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  let printed = "";
  const stderr = { isTTY, write: (text: string) => (printed += text) };
  stdin.end(answer);
  await confirm({ stdin, stderr }, "Delete \u001b[2Jit?");
  return printed;
}

describe("a destructive verb", () => {
  it("continues after yes", async () => {
    for (const answer of ["y\n", "Y\n", "yes\r\n"]) assert.equal(await prompt(answer), "Delete \\u001b[2Jit? [y/N] ");
  });

  it("changes nothing after any other answer", async () => {
    for (const answer of ["\n", "n\n", "yep\n", ""]) {
      await assert.rejects(prompt(answer), { exitCode: 1, message: "Canceled. Nothing was changed." });
    }
  });

  it("requires --yes without a terminal", async () => {
    await assert.rejects(prompt("y\n", false), { exitCode: 64, message: "Not a terminal. Pass --yes to confirm." });
  });
});
