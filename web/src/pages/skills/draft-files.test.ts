import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { draftsOf, pathProblem, requestFiles, withFile, withText } from "./draft-files.ts";

const stored = (path: string, content: string | null) => {
  return { path, size: 1, digest: `sha256:${path}`, executable: false, mime_type: "text/plain", content };
};

describe("files in the editor", () => {
  const drafts = draftsOf([stored("SKILL.md", "x"), stored("a.txt", "a"), stored("b.bin", null)]);

  it("are sent by digest unless their content changes", () => {
    assert.deepEqual(requestFiles(withText(drafts, "a.txt", "new")), [
      { path: "a.txt", executable: false, content: "new" },
      { path: "b.bin", executable: false, digest: "sha256:b.bin" },
    ]);
    const added = withFile(drafts, { path: "a.txt", executable: true, base64: "AA==", size: 1 });
    assert.deepEqual(requestFiles(added)[0], { path: "a.txt", executable: true, content_base64: "AA==" });
  });

  it("need a relative path that is free", () => {
    for (const path of ["", "/a", "../a", "a//b", "a\\b", "skill.md", "A.TXT"]) {
      assert.notEqual(pathProblem(drafts, path), undefined, path);
    }
    assert.equal(pathProblem(drafts, "scripts/run.sh"), undefined);
  });
});
