import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { confirm } from "./confirm.ts";

async function asked(answer: string, isTTY = true): Promise<string> {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  let said = "";
  const stderr = { isTTY, write: (text: string) => (said += text) };
  stdin.end(answer);
  await confirm({ stdin, stderr }, "Delete \u001b[2Jit?");
  return said;
}

describe("a destructive verb", () => {
  it("goes on when a person says yes", async () => {
    for (const answer of ["y\n", "Y\n", "yes\r\n"]) assert.equal(await asked(answer), "Delete \\u001b[2Jit? [y/N] ");
  });

  it("changes nothing on any other answer, or none", async () => {
    for (const answer of ["\n", "n\n", "yep\n", ""]) {
      await assert.rejects(asked(answer), { exitCode: 1, message: "nothing was changed" });
    }
  });

  it("asks nobody where no person is", async () => {
    await assert.rejects(asked("y\n", false), { exitCode: 64 });
  });
});
