import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { previewFields } from "./commands.ts";

describe("fields of the preview of a command", () => {
  const declared = [{ name: "a", description: "", required: false, default: null, enum: null }];

  it("are the declared arguments and new placeholders", () => {
    assert.deepEqual(previewFields("{{ b }} {{a}} \\{{c}}", declared), ["a", "b"]);
  });

  it("follow from positions or from all arguments if none are named", () => {
    assert.deepEqual(previewFields("$2 costs $$5", []), ["arg1", "arg2"]);
    assert.deepEqual(previewFields("Do $ARGUMENTS", []), ["arguments"]);
    assert.deepEqual(previewFields("Do it", []), []);
  });
});
