import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { newDataDir, start } from "./start-command.ts";

describe("gatehouse", () => {
  it("prints the API document", async () => {
    const { code, stdout } = await start({}, ["openapi"]).ended;
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).openapi, "3.0.3");
  });

  it("migrates an empty DATA_DIR and exits with 0", async () => {
    const { code, stderr } = await start({ DATA_DIR: await newDataDir() }, ["migrate"]).ended;
    assert.deepEqual([code, stderr], [0, ""]);
  });

  for (const args of [[], ["--help"], ["help"], ["-h"]]) {
    it(`${args.join(" ") || "without arguments"} lists the commands and exits with 0`, async () => {
      const { code, stdout, stderr } = await start({}, args).ended;
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(
        stdout,
        /^Usage:\n {2}gatehouse init .*\n {2}gatehouse serve .*\n {2}gatehouse migrate .*\n {2}gatehouse groups /s,
      );
    });
  }

  const list = 'Run "gatehouse --help" for the list of commands.\n';
  for (const [args, message] of [
    [["srve"], `Unknown command "srve". Did you mean serve?\n${list}`],
    [["grops", "list"], `Unknown command "grops". Did you mean groups?\n${list}`],
    [["srve", "--help"], `Unknown command "srve". Did you mean serve?\n${list}`],
    [["no-such"], `Unknown command "no-such"\n${list}`],
    [["toString"], `Unknown command "toString"\n${list}`],
    [["--no-such"], `Unknown option --no-such\n${list}`],
    [["serve", "now"], "serve accepts no arguments\nUsage: gatehouse serve [--settings <file>]\n"],
    [["serve", "--settings"], "--settings needs a path\nUsage: gatehouse serve [--settings <file>]\n"],
    [
      ["completion", "tcsh"],
      "completion requires a shell: bash, zsh, or fish\nUsage: gatehouse completion bash|zsh|fish\n",
    ],
    [["version", "now"], "version accepts no arguments\nUsage: gatehouse version\n"],
    [["init", "a", "b"], "init accepts one folder\nUsage: gatehouse init [folder]\n"],
  ] as const) {
    it(`${args.join(" ")} reports the error and exits with 64`, async () => {
      const { code, stdout, stderr } = await start({}, [...args]).ended;
      assert.deepEqual([code, stdout, stderr], [64, "", `gatehouse: ${message}`]);
    });
  }

  it("lists the settings of serve with their defaults", async () => {
    const { code, stdout, stderr } = await start({}, ["serve", "--help"]).ended;
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^Usage: gatehouse serve \[--settings <file>\]\n\nRun the gateway, .*\.\n\nSettings/);
    assert.match(stdout, /\n {2}PORT {2,}Port to listen on, in plain HTTP \(default: 8080\)\n/);
    for (const name of ["GATEHOUSE_PREVIOUS_KEY_FILE", "OTEL_TRACES_SAMPLER_ARG"]) {
      assert.match(stdout, new RegExp(`\\n {2}${name}\\s`));
    }
  });

  it("prints help that fits 80 columns", async () => {
    const { stdout: all } = await start({}, []).ended;
    const names = ["init", "serve", "migrate", "keys", "owner-link", "openapi", "completion", "version"];
    const each = await Promise.all(names.map((name) => start({}, [name, "--help"]).ended));
    for (const line of [all, ...each.map(({ stdout }) => stdout)].join("").split("\n")) {
      assert.ok(line.length <= 80, line);
    }
  });

  it("prints its version, which is that of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    for (const name of ["--version", "version"]) {
      const { code, stdout, stderr } = await start({}, [name]).ended;
      assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, ""], name);
    }
  });

  it("prints the usage of keys for --help", async () => {
    for (const noun of ["keys", "key"]) {
      const { code, stdout } = await start({}, [noun, "--help"]).ended;
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: gatehouse keys status (?:.*\n)+\nCreate a key file, .*\.\n$/);
    }
  });

  it("reports an unsupported Node version in one line and exits with 78", async () => {
    const pretend = ["versions", "version"].map((name) => {
      const value = name === "version" ? '"v20.20.2"' : '{...process.versions,node:"20.20.2"}';
      return `Object.defineProperty(process,"${name}",{value:${value}});`;
    });
    const { code, stdout, stderr } = await start({
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(pretend.join(""))}`,
    }).ended;
    assert.equal(
      stderr,
      'Gatehouse requires Node 24 or newer. This is v20.20.2. Install Node 24. In a checkout, "npm ci" installs it for the project.\n',
    );
    assert.deepEqual([code, stdout], [78, ""]);
  });
});
