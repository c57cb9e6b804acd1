import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { operations } from "#api/operations";
import { SETTINGS } from "#config/setting-list";
import { readStartCommand } from "#test/start-command";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const DOCKERFILE = read("deploy/Dockerfile");
const UNIT = read("deploy/systemd/gatehouse.service");
const COMPOSE = parse(read("deploy/compose/compose.yaml"));
const CHART = "deploy/helm/gatehouse";
const STATEFULSET = read(`${CHART}/templates/statefulset.yaml`);

/** The names that an operator can set, also as the path of a file. */
const KNOWN = new Set(SETTINGS.flatMap(({ name }) => [name, `${name}_FILE`]));

describe("the files for deployment", () => {
  it("start Node with the flags and the environment of npm start (decision 0016)", () => {
    const { flags, environment } = readStartCommand();
    assert.ok(flags.length > 0);
    for (const [name, value] of Object.entries(environment)) {
      assert.match(UNIT, new RegExp(`^Environment=${name}=${value}$`, "m"));
      assert.match(DOCKERFILE, new RegExp(`^ENV ${name}=${value}$`, "m"));
    }
    assert.deepEqual(UNIT.match(/ExecStart=.*/)?.[0].match(/--\S+/g), [...flags, "--settings"]);
    const entry = /ENTRYPOINT (\[.*\])/.exec(DOCKERFILE)?.[1] ?? "[]";
    assert.deepEqual(
      JSON.parse(entry).filter((word: string) => word.startsWith("--")),
      flags,
    );
  });

  it("set only settings that exist", () => {
    const { environment } = readStartCommand();
    const inDockerfile = Array.from(DOCKERFILE.matchAll(/^ENV (.*)$/gm), ([, settings = ""]) => settings.split(" "))
      .flat()
      .map((each) => each.split("=")[0] ?? "");
    const inUnit = Array.from(UNIT.matchAll(/^Environment=([A-Z_]+)=/gm), ([, name = ""]) => name);
    const inChart = Array.from(STATEFULSET.matchAll(/- name: ([A-Z_]+)$/gm), ([, name = ""]) => name);
    const inCompose = Object.keys(COMPOSE.services.gatehouse.environment);
    for (const names of [inDockerfile, inUnit, inChart, inCompose]) {
      assert.ok(names.length > 0);
      for (const name of names) assert.ok(name === "NODE_ENV" || name in environment || KNOWN.has(name), name);
    }
  });

  it("run without root, capabilities, or a writable root file system", () => {
    assert.match(DOCKERFILE, /^USER 1000$/m);
    const { read_only, cap_drop, security_opt } = COMPOSE.services.gatehouse;
    assert.deepEqual([read_only, cap_drop, security_opt], [true, ["ALL"], ["no-new-privileges:true"]]);
    for (const line of ["runAsNonRoot: true", "readOnlyRootFilesystem: true", "allowPrivilegeEscalation: false"])
      assert.ok(STATEFULSET.includes(line), line);
    for (const line of ["DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict"])
      assert.ok(UNIT.includes(line), line);
  });

  it("accept bodies as large as the largest operation accepts, in each proxy", () => {
    const largest = Math.max(...operations.map(({ bodyLimitBytes = 0 }) => bodyLimitBytes));
    assert.ok(largest > 0);
    const ingress = read(`${CHART}/templates/ingress.yaml`);
    const found = [
      /client_max_body_size (\d+)m;/.exec(read("docs/guide/production.md")),
      /proxy-body-size: (\d+)m$/m.exec(ingress),
    ];
    for (const match of found) assert.ok(Number(match?.[1]) * 1024 ** 2 >= largest, match?.[0]);
  });

  it("run the release that a link names, so that a running one keeps its files (decision 0214)", () => {
    assert.match(UNIT, /^ExecStart=.* \/opt\/gatehouse\/current\/node_modules\/gatehouse\/bin\/gatehouse\.mjs serve /m);
    assert.match(DOCKERFILE, /ln -s \/opt\/gatehouse\/node_modules\/\.bin\/gatehouse \/usr\/local\/bin\/gatehouse/);
  });

  it("trust the network in which the proxy is", () => {
    const { environment } = COMPOSE.services.gatehouse;
    assert.equal(environment.TRUSTED_PROXIES, COMPOSE.networks.internal.ipam.config[0].subnet);
  });

  it("use only values that the chart declares, in templates that are YAML without their expressions", () => {
    const values = parse(read(`${CHART}/values.yaml`));
    for (const name of readdirSync(new URL(`../${CHART}/templates/`, import.meta.url))) {
      const template = read(`${CHART}/templates/${name}`);
      for (const [, path = ""] of template.matchAll(/\.Values\.([A-Za-z.]+)/g)) {
        const found = path.split(".").reduce((at, key) => (at === undefined ? undefined : at[key]), values);
        assert.notEqual(found, undefined, `${name}: ${path}`);
      }
      if (!name.endsWith(".yaml")) continue;
      const plain = template.replace(/^\s*\{\{-?.*?\}\}\s*$/gm, "").replace(/\{\{.*?\}\}/g, "x");
      for (const document of parseAllDocuments(plain)) assert.deepEqual(document.errors, [], name);
    }
    const { version } = JSON.parse(read("package.json"));
    assert.equal(parse(read(`${CHART}/Chart.yaml`)).appVersion, version);
  });
});
