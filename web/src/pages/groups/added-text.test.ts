import assert from "node:assert/strict";
import { it } from "node:test";
import { addedText } from "./added-text.ts";

it("reports how many were added and how many were in the group already", () => {
  assert.equal(addedText("member", 1, 0), "Added 1 member");
  assert.equal(addedText("server", 3, 0), "Added 3 servers");
  assert.equal(addedText("member", 2, 1), "Added 2 members. 1 was already in the group.");
  assert.equal(addedText("member", 0, 2), "Added 0 members. 2 were already in the group.");
});
