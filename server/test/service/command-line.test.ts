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

  for (const [args, code] of [
    [[], 0],
    [["--help"], 0],
    [["help"], 0],
    [["serve", "-h"], 0],
    [["no-such"], 2],
    [["toString"], 2],
    [["serve", "now"], 2],
  ] as const) {
    it(`${args.join(" ") || "without arguments"} lists the commands and exits with ${code}`, async () => {
      const ended = await start({}, [...args]).ended;
      assert.equal(ended.code, code);
      const [printed, silent] = code === 0 ? [ended.stdout, ended.stderr] : [ended.stderr, ended.stdout];
      const wrong = code === 0 ? "" : "gatehouse: [^\n]*\n";
      const all = "Usage:\n {2}gatehouse serve .*\n {2}gatehouse migrate .*\n {2}gatehouse groups ";
      assert.match(printed, new RegExp(`^${wrong}${all}`, "s"));
      assert.equal(silent, "");
    });
  }

  it("prints its version, which is that of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    for (const name of ["--version", "version"]) {
      const { code, stdout, stderr } = await start({}, [name]).ended;
      assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, ""], name);
    }
  });

  it("names an unknown command, and a command that takes no arguments", async () => {
    const [unknown, tooMuch] = await Promise.all([start({}, ["srve"]).ended, start({}, ["serve", "now"]).ended]);
    assert.match(unknown.stderr, /^gatehouse: there is no command "srve"\n/);
    assert.match(tooMuch.stderr, /^gatehouse: serve takes no arguments\n/);
  });

  it("prints the usage of keys for --help", async () => {
    const { code, stdout } = await start({}, ["keys", "--help"]).ended;
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: gatehouse keys status .*\n$/);
  });

  it("on an unsupported Node version, says so in one line and exits with 78", async () => {
    const pretend = ["versions", "version"].map((name) => {
      const value = name === "version" ? '"v20.20.2"' : '{...process.versions,node:"20.20.2"}';
      return `Object.defineProperty(process,"${name}",{value:${value}});`;
    });
    const { code, stdout, stderr } = await start({
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(pretend.join(""))}`,
    }).ended;
    assert.equal(stderr, 'Gatehouse needs Node 24 or newer, and this is v20.20.2: run it with "npm start".\n');
    assert.deepEqual([code, stdout], [78, ""]);
  });
});
