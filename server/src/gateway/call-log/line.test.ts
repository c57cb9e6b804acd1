import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginLine, endLine, parseLine } from "./line.ts";
import type { StartedCall } from "./record.ts";

const STARTED: StartedCall = {
  ...{ requestId: "req_1", at: 1, method: "tools/call", userId: "usr_1", userEmail: "a@example.com" },
  ...{ serverSlug: "github", tool: "search", requestBytes: 2 },
};
const ENDED = { outcome: "ok", durationUs: 3, responseBytes: 4, error: undefined, forwardedUs: undefined } as const;

describe("a mark of the spool", () => {
  for (const rest of [
    {},
    { traceId: "abc" },
    { toolkit: "kit" },
    { toolkit: "kit", exposedTool: 'fi"nd' },
    { traceId: "abc", toolkit: "kit", exposedTool: "find" },
    { via: "oauth", client: "cli_1", toolkit: "kit" },
    { via: "oauth", client: undefined, traceId: "abc" },
    { toolkit: "kit", toolkitConflict: "other" },
    { via: "oauth", client: "cli_1", traceId: "abc", toolkit: "kit", exposedTool: "find", toolkitConflict: "other" },
  ] as const) {
    it(`is read as it was written: ${JSON.stringify(rest)}`, () => {
      const begun = parseLine(beginLine({ ...STARTED, ...rest }).trimEnd());
      assert.deepEqual(begun?.call, { ...STARTED, ...rest });
      const ended = parseLine(endLine({ ...STARTED, ...rest, ...ENDED }).trimEnd());
      assert.deepEqual(ended?.call, { ...STARTED, ...rest, ...ENDED });
      const finding = { guard: "cards", check: 'Card "1"', direction: "response", count: 2 } as const;
      for (const slug of ["cards", undefined]) {
        const call = { ...STARTED, ...rest, ...ENDED, guard: { action: "redact", slug, findings: [finding] } } as const;
        assert.deepEqual(parseLine(endLine(call).trimEnd())?.call, call);
      }
    });
  }
});
