import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { normalizeServer, type RawServer } from "./normalize-server.ts";
import { isSecretName, redactArgs, redactCommand, redactText, shortenHome } from "./redact.ts";

const RAW: RawServer = {
  ...{ name: "x", client: "cursor", scope: "user", transport: "stdio", command: "npx", args: [] },
  configPath: "/home/ada/.cursor/mcp.json",
};
const DIGEST = "0123456789abcdef".repeat(4);
const HOMES = ["/home/ada"];
const KEY = "sk-ant-api03-aaaaBBBBccccDDDDeeeeFFFF0123";

describe("the redaction of arguments", () => {
  for (const [args, redacted] of [
    [
      ["-e", "path=/srv"],
      ["-e", "path=[REDACTED]"],
    ],
    [
      ["--password", "--verbose"],
      ["--password", "--verbose"],
    ],
    [["PLAIN=x"], ["PLAIN=[REDACTED]"]],
    [
      ["token=x", "region=eu"],
      ["token=[REDACTED]", "region=eu"],
    ],
    [["--header=X-Plain: x"], ["--header=X-Plain: [REDACTED]"]],
    [
      ["--myAccessKey=x", "--dbAuthUrl=x"],
      ["--myAccessKey=[REDACTED]", "--dbAuthUrl=[REDACTED]"],
    ],
    [
      ["Authorization: x", "Accept: x"],
      ["Authorization: [REDACTED]", "Accept: x"],
    ],
  ] as const) {
    it(`makes ${redacted.join(" ")} of ${args.join(" ")}`, () => {
      assert.deepEqual(redactArgs(args), redacted);
    });
  }

  it("redacts encoded PowerShell as the script that it is", () => {
    const encoded = (script: string) => Buffer.from(script, "utf16le").toString("base64");
    const script = encoded(`$env:API_KEY="${KEY}"; npx -y @acme/x --token hunter2`);
    const safe = encoded("$env:API_KEY=[REDACTED]; npx -y @acme/x --token [REDACTED]");
    assert.deepEqual(redactArgs(["-e", script], [], "pwsh"), ["-e", safe]);
    assert.deepEqual(redactArgs(["-e", safe], [], "pwsh"), ["-e", safe]);
    assert.equal(redactCommand(`powershell /enc ${script}`), `powershell /enc ${safe}`);
    assert.deepEqual(redactArgs(["/c", `cd x & pwsh -enc ${script}`]), ["/c", `cd x & pwsh -enc ${safe}`]);
    assert.deepEqual(redactArgs(["-enc", encoded(`привет ${KEY}${" y".repeat(2_000)}`)]), ["-enc", "[REDACTED]"]);
    // Without a space it is no script.
    assert.equal(redactArgs(["-e", encoded(KEY)]).includes(encoded(KEY)), false);
    assert.equal(redactArgs(["-x", script]).includes(script), false);
  });

  it("keeps names of packages, versions, paths and ordinary arguments", () => {
    for (const args of [
      ["-y", "@acme/server@1.2.3", "npm:@acme/pkg", "npm:cowsay@1.5", "@acme/x@npm:@other/y@2.0.0-beta.1"],
      ["-u", "1000:1000", "--user", "node:node", "-v", "/srv/a:/b", "nginx:1.25@sha256:00ff", "ghcr.io/a/b:v1"],
      ["-u", '--config={"region":"eu"}'],
      ["run", `ghcr.io/acme/x:1@sha256:${DIGEST}`, `nginx@sha256:${DIGEST}`, `sha256:${DIGEST}`],
      ["-h", "db.internal", "--host=a1b2c3d4e5f6a7b8.eu-west-1.rds.amazonaws.com", "db-a1b2c3d4e5f6a7b8.local:5432"],
      ["C:\\Users\\ada@acme\\x.js", "--dir=C:\\Users\\ada@1\\x", "-v", "C:\\Users\\a@b:/data"],
      ["git+ssh://github.com/a/b.git@main", "git@github.com:a/b.git", "https://cdn.example/@acme/x@1.0.0/y.js"],
      ["https://h.example:8443/pkg@1.2/x", "http://localhost:3000/mcp", "http://[::1]:81/a@b", "//server/share/"],
      ["C:\\Program Files\\x\\y.js", "C:/x/node_modules/pkg@1.2/index.js", "/srv/My Documents/x", "--dir=/a b/c"],
      ["-endpoint=x", "-env=prod", "-host:8080", "--port", "8080", "-k", "mailto:a@b.example", "com.acme:x:1.0@jar"],
      ['{"a":{"b":[1,"x: y"]},"c":"{\\"d\\":2}"}', "{{json .Config}}", "a{b: c}", "k=v;w=x", "echo 'it is' \"so\""],
    ])
      assert.deepEqual(redactArgs(args), args);
  });

  it("keeps commands without secrets", () => {
    for (const command of [
      "npx",
      "C:\\Program Files\\nodejs\\npx.cmd",
      "C:\\Users\\ada@acme\\npx.cmd -y x",
      `docker run nginx@sha256:${DIGEST}`,
      "/nix/store/8y5fabc12d3e4f5g6h7i8j9k0lmnopqr-nodejs-20/bin/node",
      "/Users/x/Library/Application Support/9f8e7d6c5b4a39281706f5e4d3c2b1a0/server",
      "mcp-server-9f8e7d6c5b4a3928",
      "/bin/x --port 80 --dir /srv/a",
    ])
      assert.equal(redactCommand(command), command);
  });

  it("removes the defaults of variables that are secrets, and keeps names and other defaults", () => {
    const variable = (content: string) => `$\{${content}}`;
    for (const [args, redacted] of [
      [
        ["--token", variable("T:-x")],
        ["--token", variable("T:-[REDACTED]")],
      ],
      [[`A=${variable("input:a-b")}`], [`A=${variable("input:a-b")}`]],
      [[`A=${variable("B=x")}`], [`A=${variable("B=[REDACTED]")}`]],
      [[variable(`DIR:-${variable("TOKEN:-x")}/y`)], [variable(`DIR:-${variable("TOKEN:-[REDACTED]")}/y`)]],
      [
        ["--dir", variable("DIR:-/srv")],
        ["--dir", variable("DIR:-/srv")],
      ],
      [[variable(`X:-${KEY}`)], [variable("X:-[REDACTED]")]],
    ] as const)
      assert.deepEqual(redactArgs(args), redacted);
    const raw = { ...RAW, transport: "http", command: undefined, args: undefined } as const;
    const url = `https://${variable("HOST:-h.example")}/${variable("KEY:-x")}`;
    assert.equal(
      normalizeServer({ ...raw, url }).url,
      `https://${variable("HOST:-h.example")}/${variable("KEY:-[REDACTED]")}`,
    );
  });

  it("keeps at most 256 arguments", () => {
    assert.equal(redactArgs(Array(257).fill("x")).length, 256);
  });

  it("recognizes names of secrets by their words", () => {
    const names = ["apiKey", "GITHUB_TOKEN", "db.password", "dbpassword", "authUrl"];
    assert.deepEqual(
      names.filter((name) => !isSecretName(name)),
      [],
    );
    assert.deepEqual(["keyword", "monkey", "author", "passenger"].filter(isSecretName), []);
  });

  it("recognizes every word for a secret, also with a word before it", () => {
    const words =
      "key keys token tokens secret secrets password passwd passphrase passcode pwd pass pat credential credentials creds auth authorization bearer cookie cookies session dsn connection-string connectionstring conn_str webhook";
    const before =
      "api access private secret auth encryption signing service account master app client user license deploy";
    const names = [
      ...words.split(" ").flatMap((word) => [word, `--${word}`, `${word.toUpperCase()}_FILE`]),
      ...before.split(" ").flatMap((word) => [`${word}key`, `${word}-key`, `${word}.key`]),
      ...["xPASSWORD", "xpasswd", "xsecret", "xtoken", "xapikey", "xaccesskey", "xprivatekey", "a1Key"],
    ];
    assert.deepEqual(
      names.filter((name) => !isSecretName(name)),
      [],
    );
    assert.deepEqual(["xtokens", "xkey", "tokenizer", "sessions", "patch"].filter(isSecretName), []);
  });

  it("removes the values of all options that hold variables or headers", () => {
    for (const option of ["-e", "--env", "--build-arg", "--set"])
      assert.deepEqual(redactArgs([option, "a=b"]), [option, "a=[REDACTED]"]);
    for (const option of ["-H", "--header", "--Headers", "--http-header"])
      assert.deepEqual(redactArgs([option, "a: b"]), [option, "a: [REDACTED]"]);
  });

  it("does not take the root folder for a home", () => {
    assert.equal(shortenHome("/srv/x", ["/", ""]), "/srv/x");
    assert.equal(shortenHome("/home/ada/x:/home/ada", ["/home/ada/"]), "~/x:~");
  });
});

describe("the redaction of text", () => {
  it("keeps sentences and placeholders", () => {
    for (const text of [
      "Pass --api-key YOUR_API_KEY, --token <TOKEN>, or --token to authenticate with --password-file ./Secrets1.txt",
      "Set API_KEY=your-api-key-1 and TOKEN=$OTHER_TOKEN1, with --max-tokens 100000 and -u 1000:1000",
      "const token = await getToken1(user); login({ api_key: apiKey, password })",
    ])
      assert.equal(redactText(text), text);
  });
});

describe("the report of a server", () => {
  it("has sorted names of variables and headers, each once, without secrets, and at most 128", () => {
    const envKeys = ["B", "A", "B", KEY];
    const { env_keys, header_keys } = normalizeServer({ ...RAW, envKeys, headerKeys: ["y", "x"] });
    assert.deepEqual(
      [env_keys, header_keys],
      [
        ["A", "B", "[REDACTED]"],
        ["x", "y"],
      ],
    );
    const many = Array.from({ length: 200 }, (_, n) => `K${n}`);
    assert.equal(normalizeServer({ ...RAW, envKeys: many }).env_keys?.length, 128);
    assert.equal(normalizeServer({ ...RAW, envKeys: ["nm".repeat(200)] }).env_keys?.[0]?.length, 256);
  });

  it("shortens home folders and removes secrets from its paths", () => {
    const { config_path, project } = normalizeServer({ ...RAW, project: `/home/ada/${KEY}` }, HOMES);
    assert.deepEqual([config_path, project], ["~/.cursor/mcp.json", "~/[REDACTED]"]);
    const { config_path: secret } = normalizeServer({ ...RAW, configPath: `/etc/${KEY}/mcp.json` }, HOMES);
    assert.equal(secret, "/etc/[REDACTED]/mcp.json");
  });

  it("describes the server, its package, and the user of the device", () => {
    const { fingerprint, config_hash, ...rest } = normalizeServer({ ...RAW, args: ["acme"], username: "ada" });
    assert.match(fingerprint + config_hash, /^(?:sha256:[0-9a-f]{64}){2}$/);
    assert.deepEqual(rest, {
      ...{ name: "x", client: "cursor", scope: "user", transport: "stdio", command: "npx", args: ["acme"] },
      ...{ package: { type: "npm", name: "acme" }, env_keys: [], header_keys: [], enabled: true },
      ...{ config_path: "/home/ada/.cursor/mcp.json", username: "ada" },
    });
    assert.equal("username" in normalizeServer(RAW), false);
    assert.equal("package" in normalizeServer({ ...RAW, command: "node", args: ["x.js"] }), false);
  });

  it("has another hash for each part of its configuration", () => {
    const remote: RawServer = { ...RAW, transport: "http", url: "https://x.example" };
    const hashes = [
      ...[RAW, { ...RAW, name: "y" }, { ...RAW, client: "zed" }, { ...RAW, scope: "project" as const }],
      ...[
        { ...RAW, command: "uvx" },
        { ...RAW, args: ["y"] },
        { ...RAW, envKeys: ["y"] },
      ],
      ...[{ ...RAW, headerKeys: ["y"] }, remote, { ...remote, transport: "sse" as const }],
      { ...remote, url: "https://y.example" },
    ].map((raw) => normalizeServer(raw).config_hash);
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it("is enabled unless the file says otherwise, and its hash changes with that", () => {
    const on = normalizeServer(RAW);
    const off = normalizeServer({ ...RAW, enabled: false });
    assert.deepEqual([on.enabled, off.enabled, on.fingerprint === off.fingerprint], [true, false, true]);
    assert.notEqual(on.config_hash, off.config_hash);
  });
});
