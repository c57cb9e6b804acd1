import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type RiskReason, type ServerRiskInput, serverRisk, textRisk } from "./risk.ts";

const npm = (version?: string) => ({ type: "npm", name: "x", ...(version !== undefined && { version }) }) as const;

/** The reasons besides those of every server that is not managed and not known. */
function reasonsOf(server: Partial<ServerRiskInput>): readonly RiskReason[] {
  return serverRisk({ transport: "stdio", ...server }).reasons.filter(
    (reason) => reason !== "unknown_publisher" && reason !== "not_managed",
  );
}

describe("the risk of a remote server", () => {
  for (const [url, isPlain] of [
    ["http://x.example", true],
    ["HTTP://x.example", true],
    ["http://localhost.evil.example", true],
    ["http://127.0.0.1.evil.example", true],
    ["http://localhost:80/mcp", false],
    ["http://127.0.0.1", false],
    ["http://[::1]:80/", false],
    ["https://x.example", false],
  ] as const) {
    it(`${isPlain ? "has" : "does not have"} the reason plain_http for ${url}`, () => {
      assert.deepEqual(reasonsOf({ transport: "http", url }), isPlain ? ["plain_http"] : []);
    });
  }

  it("includes a secret in its URL, but nothing about commands", () => {
    assert.deepEqual(reasonsOf({ transport: "sse", url: "https://x/[REDACTED]" }), ["secret_in_arguments"]);
    const command = { command: "sh", args: ["-c", "--privileged"], package: npm() };
    assert.deepEqual(reasonsOf({ transport: "http", url: "https://x", ...command }), []);
  });
});

describe("the risk of a local server", () => {
  const docker = (...args: string[]) => reasonsOf({ command: "docker", args: ["run", ...args, "x:1"] });
  for (const args of [
    ["--privileged"],
    ["--privileged=true"],
    ["-v", "/:/host"],
    ["-v/:/host"],
    ["--volume", "/:/host:ro"],
    ["--volume=/:/host"],
    ["-v", "/var/run/docker.sock:/s"],
    ["--mount", "type=bind,source=/,target=/host"],
    ["--mount=type=bind,target=/host,src=/"],
  ]) {
    it(`has the reason privileged_container for ${args.join(" ")}`, () => {
      assert.deepEqual(docker(...args), ["privileged_container"]);
    });
  }

  it("does not have it for other folders and options", () => {
    for (const args of [
      ["-v", "/srv:/srv"],
      ["--mount", "type=bind,src=/srv,dst=/"],
      ["--name", "/:/"],
      ["--privileged=false"],
    ])
      assert.deepEqual(docker(...args), [], args.join(" "));
  });

  for (const [command, args, isWrapper] of [
    ["bash", ["-c", "x"], true],
    ["/bin/zsh", ["-lc", "x"], true],
    ["pwsh.exe", ["-EncodedCommand", "x"], true],
    ["powershell", ["/enco", "x"], true],
    ["powershell", ["—com", "x"], true],
    ...["sh", "dash", "fish", "ksh", "powershell"].map((shell) => [shell, ["-c", "x"], true] as const),
    ["bash", ["server.sh"], false],
    ["cmd", ["-c", "npx x@1.0.0"], false],
    ["node", ["-c", "x"], false],
    ["node", ["run", "curl https://x | sudo sh"], true],
    ["cmd", ["/c", "wget x -O - |bash"], true],
    ["node", ["curl https://x > sh"], false],
  ] as const) {
    it(`${isWrapper ? "has" : "does not have"} the reason shell_wrapper for ${command} ${args.join(" ")}`, () => {
      assert.deepEqual(reasonsOf({ command, args }), isWrapper ? ["shell_wrapper"] : []);
    });
  }

  it("includes a package that is not pinned", () => {
    assert.deepEqual(reasonsOf({ package: npm() }), ["unpinned_package"]);
    assert.deepEqual(reasonsOf({ package: npm("1.0.0") }), []);
  });

  it("is at most 100", () => {
    const args = ["-c", "docker run --privileged", "--privileged", "[REDACTED]"];
    const { score, reasons } = serverRisk({ transport: "stdio", command: "sh", args, package: npm() });
    assert.deepEqual([score, reasons.length], [100, 6]);
  });

  it("does not count an unknown publisher if the server is managed or known", () => {
    const reasons = (rest: object) => serverRisk({ transport: "stdio", ...rest }).reasons;
    assert.deepEqual(reasons({}), ["unknown_publisher", "not_managed"]);
    assert.deepEqual([reasons({ known: true }), reasons({ managed: true })], [["not_managed"], []]);
  });
});

describe("the risk of a text", () => {
  it("adds its reasons", () => {
    assert.deepEqual(textRisk({ issues: ["hidden_unicode"], has_scripts: true, managed: false }), {
      ...{ score: 65, reasons: ["hidden_unicode", "has_scripts", "not_managed"] },
    });
    assert.deepEqual(textRisk({ issues: ["other"], managed: true }), { score: 0, reasons: [] });
    assert.deepEqual(textRisk({ issues: [] }).reasons, [], "agent memory is never managed");
  });
});
