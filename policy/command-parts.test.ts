import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { identityOf, partsOfCommand } from "./command-parts.ts";

function identities(command: string, args: readonly string[], variables: readonly string[] = []): string[] {
  return partsOfCommand(command, args, variables).map(({ identity }) => identity);
}

describe("the parts of a command line", () => {
  for (const [line, ...expected] of [
    ["npx acme --stdio npx", "npm:acme"],
    ["npx -p acme", "npm:acme"],
    ["npx acme --mode docker", "npm:acme"],
    ["npx acme bash script.sh", "npm:acme"],
    ["npx acme bash -x -c x", "npm:acme", "code:bash -x -c x"],
    ["npx acme npx --unknown x other", "npm:acme", "npm:x", "npm:other", "code:npx --unknown x other"],
    ["npx -p acme acme-mcp", "npm:acme"],
    ["npx -p acme bin/run", "npm:acme", "bin:run"],
    ["npx --unknown acme other", "bin:npx", "npm:acme", "npm:other"],
    ["uvx --unknown acme other", "bin:uvx", "pypi:acme", "pypi:other"],
    ["uvx --from acme python x.py", "pypi:acme", "script:x.py"],
    ["uvx --with a[b,c]>=1,<2 acme", "pypi:acme", "pypi:a"],
    ["uvx --with b,c --with ./d acme", "pypi:acme", "pypi:b", "pypi:c", "script:d"],
    ["uvx --constraints c.txt acme", "pypi:acme", "script:c.txt"],
    ["uvx --python 3.12 acme", "pypi:acme"],
    ["uvx --index-url https://r.example --with b acme", "pypi:https://r.example/acme", "pypi:https://r.example/b"],
    ["uv --with b tool run acme", "pypi:acme", "pypi:b"],
    ["uv run --with b python -m acme", "pypi:acme", "pypi:b"],
    ["docker run --entrypoint=/bin/sh acme", "oci:acme", "bin:sh"],
    ["docker create acme", "bin:docker", "oci:acme"],
    ["deno run --import=npm:b npm:acme", "npm:acme", "npm:b"],
    ["bin/npx acme", "npm:acme", "script:npx"],
    ["env bin/npx acme", "npm:acme", "script:npx"],
    ["~/bin/npx acme", "npm:acme"],
    ["C:\\bin\\npx.cmd acme", "npm:acme"],
    ["$HOME/bin/npx acme", "npm:acme"],
    ["bin/acme npx", "bin:acme"],
    ["docker run -e node_options=x acme", "oci:acme", "variables:NODE_OPTIONS"],
    ["docker run -eLD_PRELOAD=x acme", "bin:docker", "oci:acme", "variables:LD_PRELOAD"],
    ["npx acme --NODE_OPTIONS", "npm:acme"],
    ["npm init", "bin:npm"],
    ["npm init -y acme@1", "npm:create-acme"],
    ["npm create create-acme", "npm:create-create-acme"],
    ["npm innit @acme", "npm:@acme/create"],
    ["npm init @acme@2", "npm:@acme/create"],
    ["npm init @acme/x", "npm:@acme/create-x"],
    ["npm init acme/x", "npm:github:acme/create-x"],
    ["yarn create acme", "npm:create-acme"],
    ["pnpm create create-acme", "npm:create-acme"],
    ["bun c acme", "npm:create-acme"],
    ["acme sh -c yarn create evil", "bin:acme", "code:sh -c yarn create evil", "npm:create-evil"],
  ] as const) {
    it(`are ${expected.join(" and ")} for ${line}`, () => {
      const [command = "", ...args] = line.split(" ");
      assert.deepEqual(identities(command, args), expected);
    });
  }

  it("are found in scripts, regardless of quotes and separators", () => {
    for (const script of ["a;npx evil", "(npx evil)", '$(npx "evil")', "`npx evil`", "a|npx evil", "sh -c 'npx evil'"])
      assert.ok(identities("bash", ["-c", script]).includes("npm:evil"), script);
    assert.ok(identities("mcp-proxy", ["--stdio=npx evil"]).includes("npm:evil"));
    assert.ok(identities("C:\\x\\acme.exe", ["C:\\nodejs\\npx.cmd", "evil"]).includes("npm:evil"));
  });

  it("are found in JSON, whose keys are no words", () => {
    const parts = (value: unknown) => identities("acme", [JSON.stringify(value)]);
    assert.deepEqual(parts({ command: "npx", args: ["evil"] }), ["bin:acme", "npm:evil"]);
    assert.deepEqual(parts([{ npx: 1, run: "uvx evil" }]), ["bin:acme", "pypi:evil"]);
    assert.ok(identities("bash", ["-c", '{ npx "evil" :; }']).includes("npm:evil"));
  });

  it("are found in encoded PowerShell, also if that starts another one", () => {
    const encoded = (script: string) => Buffer.from(script, "utf16le").toString("base64");
    const twice = encoded(`pwsh -e ${encoded("npx evil")}`);
    for (const [command, ...args] of [
      ["powershell", "-EncodedCommand", encoded("npx evil")],
      ["pwsh.exe", "-NoProfile", "-enco", encoded("npx evil")],
      ["powershell", "/e", encoded("npx evil")],
      ["powershell", "–ec", twice],
      ["cmd", "/c", `cd x & powershell -enc ${encoded("npx evil")}`],
    ] as const)
      assert.ok(identities(command, args).includes("npm:evil"), args.join(" "));
    assert.ok(!identities("acme", ["-e", encoded("npx evil")]).includes("npm:evil"));
  });

  it("name variables that the client sets, and others not", () => {
    assert.deepEqual(identities("npx", ["acme"], ["npm_config_registry", "GITHUB_TOKEN", "PATH"]), [
      "npm:acme",
      "variables:NPM_CONFIG_REGISTRY",
    ]);
  });

  it("have the programs that start them", () => {
    const programs = partsOfCommand("env", ["sh", "-c", "nohup npx acme"]).map((part) => part.programs);
    assert.deepEqual(programs, [
      ["env", "sh"],
      ["env", "sh", "npx"],
    ]);
  });

  it("are incomplete for lines that are too long, and the last one says so", () => {
    for (const [args, last] of [
      [Array<string>(33).fill("npx acme"), "code:too many commands"],
      [Array<string>(9).fill("x".repeat(2_000)), "code:too many commands"],
      [["x".repeat(2_048)], "code:too many commands"],
      [Array<string>(255).fill("x"), "code:too many commands"],
      [Array.from({ length: 65 }, (_, at) => ["--with", `p${at}`]).flat(), "code:too many packages"],
    ] as const)
      assert.equal(identities("uvx", [...args, "acme"]).at(-1), last);
  });
});

describe("the identity of a command line that is not known", () => {
  it("contains its arguments, so that the approval of one script approves no other", () => {
    assert.notEqual(identityOf("sh", ["-c", "a"]), identityOf("sh", ["-c", "b"]));
    assert.notEqual(identityOf("npx", ["--unknown", "a"]), identityOf("npx", ["--unknown", "b"]));
    assert.equal(identityOf("acme", ["a"]), identityOf("acme", ["b"]));
  });

  it("does not depend on the order of other packages", () => {
    const withPackages = (...names: string[]) => identityOf("uvx", [...names.flatMap((name) => ["--with", name]), "x"]);
    assert.equal(withPackages("a", "b"), withPackages("b", "a"));
  });
});
