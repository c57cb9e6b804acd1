import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createMachineUser } from "#test/factories";
import { makeFolder, openShell } from "../test/run.ts";
import { withService } from "../test/with-service.ts";
import { COMMANDS } from "./commands.ts";
import { nounHelp, verbHelp } from "./help.ts";
import { COMMON, nameWords, readArguments } from "./read-arguments.ts";
import type { Verb } from "./verb.ts";

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts an HTTP server that is not Gatehouse. */
async function startImpostor(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP listener's address is never a path
  return `http://127.0.0.1:${port}`;
}

describe("help", () => {
  it("exists for every command and verb, with a valid command as the example", async () => {
    for (const [name, { load }] of Object.entries(COMMANDS)) {
      const command = await load();
      const verbs = "verbs" in command ? Object.entries(command.verbs) : [["", command] as const];
      if ("verbs" in command) assert.match(nounHelp(`gatehouse ${name}`, command), /\n\nExample:\n {2}gatehouse /);
      for (const [verbName, verb] of verbs) {
        const path = ["gatehouse", name, ...(verbName === "" ? [] : [verbName])];
        assert.match(
          verbHelp(path.join(" "), verb),
          /^Usage: gatehouse .*\n\n[A-Z](?:.+\n)*.*\.\n\n(?:.*\n)*Example:\n/,
        );
        const words = [...verb.example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
        assert.deepEqual(words.slice(0, path.length), path, verb.example);
        understood(verb, words.slice(path.length));
      }
    }
  });

  it("fits 80 columns", async () => {
    for (const [name, { load }] of Object.entries(COMMANDS)) {
      const command = await load();
      const texts = "verbs" in command ? [nounHelp(`gatehouse ${name}`, command)] : [];
      const verbs = "verbs" in command ? Object.entries(command.verbs) : [["", command] as const];
      for (const [verbName, verb] of verbs) texts.push(verbHelp(`gatehouse ${name} ${verbName}`.trim(), verb));
      for (const line of texts.join("\n").split("\n")) assert.ok(line.length <= 80, line);
    }
  });

  function understood(verb: Verb, argv: string[]): void {
    nameWords(verb, readArguments(argv, { ...COMMON, ...verb.options }).words);
  }

  const shell = openShell(() => ({ url: "http://127.0.0.1:1", token: "" }));
  it("goes to stdout and needs no service", async () => {
    for (const [args, expected] of [
      [["groups", "--help"], /^Usage: gatehouse groups <verb> \[options\]\n/],
      [["groups", "create", "-h"], /^Usage: gatehouse groups create <name> \[options\]\n/],
      [["groups", "add-users", "x", "--help"], /^Usage: gatehouse groups add-users <group> <email>… \[options\]\n/],
      [["group", "add-user", "--help"], /^Usage: gatehouse groups add-users <group> <email>… \[options\]\n/],
      [["call", "--help"], /^Usage: gatehouse call <tool> \[options\]\n/],
    ] as const) {
      const { code, stdout, stderr } = await shell.run(args);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, expected);
    }
  });
});

describe("wrong usage exits with 64 and suggests a fix", () => {
  const shell = openShell(() => ({ url: "http://127.0.0.1:1", token: "t" }));
  for (const [args, expected] of [
    [
      ["groups"],
      "Missing verb: list, get, create, update, delete, add-servers, remove-server, servers, select-tools, add-toolkits, remove-toolkit, add-skills, remove-skill, add-commands, remove-command, add-plugins, remove-plugin, add-users, remove-user",
    ],
    [["groups", "lsit"], 'Unknown verb "lsit". Did you mean list?'],
    [["groups", "toString"], 'Unknown verb "toString"'],
    [["groups", "list", "--serch", "x"], "Unknown option --serch. Did you mean --search?"],
    [["groups", "create", "x", "--no-show-draft"], "Unknown option --no-show-draft. Did you mean --no-show-drafts?"],
    [["groups", "list", "-x"], "Unknown option -x"],
    [["groups", "list", "--search"], "--search needs a value"],
    [["groups", "list", "--search", "--limit"], '--search needs a value. To pass "--limit", write --search=--limit.'],
    [["groups", "list", "--limit", "1", "--limit", "2"], "--limit can be given only once"],
    [["groups", "list", "-o", "yaml"], '-o must be one of table, json, not "yaml"'],
    [["groups", "delete", "x", "--yes=1"], "--yes takes no value"],
    [["groups", "create"], "Missing argument <name>"],
    [["groups", "add-servers", "x"], "Missing argument <server>"],
    [["groups", "create", "a", "b"], 'Unexpected argument "b"'],
    [["groups", "list", "--url", "ftp://x"], /^--url must be an http or https URL/],
    [
      ["groups", "list", "--token", "s3cret"],
      /^--token is not an option, because other users can read arguments\. Use GATEHOUSE_TOKEN/,
    ],
  ] as const) {
    it(args.join(" "), async () => {
      const { code, stdout, stderr } = await shell.run(args);
      assert.deepEqual([code, stdout], [64, ""]);
      const [line = "", hint = ""] = stderr.split("\n");
      if (typeof expected === "string") assert.equal(line, `gatehouse: ${expected}`);
      else assert.match(line.slice("gatehouse: ".length), expected);
      assert.match(hint, /^Run "gatehouse groups.* --help" for usage\.$/);
      assert.ok(!stderr.includes("s3cret"));
    });
  }
});

describe("errors of the connection", () => {
  const run = async (url: string, ...args: string[]) => {
    const shell = openShell(() => ({ url, token: "t" }));
    return shell.run(args, { environment: { GATEHOUSE_ACCESS_KEY: "a:b" } });
  };

  it("exits with 5 and prints the URL and the reason if no server listens", async () => {
    const url = await startImpostor(() => {});
    servers.pop()?.close();
    const { code, stdout, stderr } = await run(url, "groups", "list");
    assert.deepEqual([code, stdout], [5, ""]);
    const reason = `connect ECONNREFUSED ${new URL(url).host}`;
    assert.ok(stderr.startsWith(`gatehouse: Cannot reach ${url}: ${reason}. Check that Gatehouse is running`), stderr);
  });

  it("exits with 5 and suggests checking the URL if another service responds", async () => {
    const url = await startImpostor((_, response) => response.writeHead(404).end("<h1>Not Found</h1>"));
    const { code, stderr } = await run(url, "groups", "list");
    assert.deepEqual([code, stderr.includes(`Check that ${url} is the URL of Gatehouse.`)], [5, true]);
    assert.equal((await run(url, "tools", "list")).code, 4);
  });

  it("does not follow a redirect, so that the token is not sent elsewhere", async () => {
    let hits = 0;
    const elsewhere = await startImpostor((_, response) => {
      hits++;
      response.end("{}");
    });
    const url = await startImpostor((_, response) => response.writeHead(307, { location: elsewhere }).end());
    assert.equal((await run(url, "groups", "list")).code, 5);
    assert.equal((await run(url, "tools", "list")).code, 5);
    assert.equal(hits, 0);
  });

  it("exits with 1 and the request ID after a 500, and with 5 after a 503", async () => {
    const respondWith = (status: number) =>
      startImpostor((_, response) => response.writeHead(status, { "x-request-id": "req_7" }).end('{"error":"Failed"}'));
    const failed = await run(await respondWith(500), "groups", "list");
    assert.deepEqual([failed.code, failed.stderr], [1, "gatehouse: Failed (request ID req_7)\n"]);
    assert.equal((await run(await respondWith(503), "groups", "list")).code, 5);
    assert.equal((await run(await respondWith(503), "tools", "list")).code, 5);
  });

  it("exits with 5 and names the URL if another service responds with JSON", async () => {
    const url = await startImpostor((_, response) => response.writeHead(405).end('{"jsonrpc":"2.0","error":{}}'));
    const { code, stderr } = await run(url, "groups", "list");
    const hint = `Check that ${url} is the URL of Gatehouse.`;
    assert.deepEqual([code, stderr], [5, `gatehouse: The service answered with status 405. ${hint}\n`]);
  });

  it("escapes control characters from a hostile service", async () => {
    const evil = "\u001b]0;owned\u0007\u009b2J\u202Ereversed\r\nsecond row\u2028";
    const group = { id: evil, name: evil, settings: {}, created_at: "", updated_at: "" };
    const url = await startImpostor((request, response) => {
      const tools = [{ name: evil, description: evil }];
      if (request.url === "/mcp") return response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools } }));
      const pagination = { skip: 0, limit: 200, hasMore: false };
      if (request.method === "GET") return response.end(JSON.stringify({ data: [group], pagination }));
      return response.writeHead(400).end(JSON.stringify({ code: "INVALID_FORMAT", message: evil }));
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
    const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/;
    for (const [lines, ...args] of [
      [2, "groups", "list"],
      [undefined, "groups", "list", "-o", "json"],
      [2, "tools", "list"],
      [0, "groups", "create", "x"],
    ] as const) {
      const { stdout, stderr } = await run(url, ...args);
      assert.doesNotMatch(stdout, raw);
      assert.doesNotMatch(stderr, raw);
      if (lines !== undefined) assert.equal(stdout.split("\n").length - 1, lines);
      if (lines === undefined) assert.deepEqual(JSON.parse(stdout), [group]);
    }
  });

  it("exits with 5 if a stream ends without a response", async () => {
    const url = await startImpostor((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n');
    });
    const { code, stderr } = await run(url, "call", "x__y");
    const message = `${url}/mcp closed the connection before the response was complete`;
    assert.deepEqual([code, stderr], [5, `1\ngatehouse: ${message}\n`]);
  });
});

withService("gatehouse with a service", (world) => {
  const { shell } = world;

  it("loads no modules of the server, so that it starts fast", async () => {
    const hook = `import{registerHooks}from"node:module";import{writeSync}from"node:fs";
      registerHooks({load(url,context,next){writeSync(2,url+"\\n");return next(url,context)}})`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(hook)}`;
    const { code, stderr } = await shell.run(["groups", "list"], { environment: { NODE_OPTIONS } });
    const loaded = stderr.split("\n").filter((line) => line.startsWith("file:"));
    assert.equal(code, 0);
    assert.ok(loaded.some((url) => /\/groups-[^/]+\.mjs$/.test(url)));
    assert.ok(!loaded.some((url) => /\/node_modules\/|\/users-/.test(url)));
    // The server is 8 MB.
    const bytes = loaded.reduce((sum, url) => sum + statSync(new URL(url)).size, 0);
    assert.ok(bytes < 100_000, `${bytes} bytes in ${loaded.join(" ")}`);
  });

  it("accepts a noun in the singular", async () => {
    const [singular, plural] = await Promise.all([shell.run(["user", "list"]), shell.run(["users", "list"])]);
    assert.deepEqual(singular, plural);
    assert.equal(singular.code, 0);
  });

  it("exits with 0 and prints nothing when the reader closes the pipe", async () => {
    const bot = await createMachineUser(world.service, "Bot");
    const list = shell.start(["users", "list"]);
    const follow = shell.start(["logs", "--follow"]);
    for (const { child } of [list, follow]) child.stdout.destroy();
    await world.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    for (const { ended } of [list, follow]) {
      const { code, stderr } = await ended;
      assert.deepEqual([code, stderr], [0, ""]);
    }
  });

  it("works with the variables of a machine user's .env file, also with /mcp at the end of the URL", async () => {
    const { url } = world.service;
    const { credential } = await createMachineUser(world.service, "Env bot");
    for (const GATEHOUSE_URL of [url, `${url}/`, `${url}/mcp`, `${url}/mcp/`]) {
      const environment = { GATEHOUSE_URL, GATEHOUSE_TOKEN: "", GATEHOUSE_ACCESS_KEY: credential };
      const { code, stderr } = await shell.run(["tools", "list"], { environment });
      assert.equal(code, 0, GATEHOUSE_URL);
      assert.match(stderr, /^No tools\. Add the user to a group/, GATEHOUSE_URL);
    }
    const half = { GATEHOUSE_ACCESS_KEY: credential.split(":")[0] ?? "" };
    const { stderr } = await shell.run(["tools", "list"], { environment: half });
    assert.match(stderr, /^gatehouse: GATEHOUSE_ACCESS_KEY must be <access key>:<secret>\n/);
  });

  it("reads the first token from DATA_DIR, but only for a loopback URL", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "admin-token"), `${world.service.token}\n`);
    const first = { GATEHOUSE_TOKEN: "", DATA_DIR: join(folder, "data") };
    assert.equal((await shell.run(["users", "list"], { environment: first })).code, 0);
    const away = await shell.run(["users", "list", "--url", "http://gatehouse.invalid"], { environment: first });
    const none =
      "gatehouse: No API token. Set GATEHOUSE_TOKEN, or GATEHOUSE_TOKEN_FILE to its file, such as <DATA_DIR>/admin-token.\n";
    assert.deepEqual([away.code, away.stderr], [3, none]);
  });

  it("rejects a token that is invalid in a header, and does not print it", async () => {
    for (const [environment, expected] of [
      [{ GATEHOUSE_TOKEN: "two\nlines" }, /^gatehouse: GATEHOUSE_TOKEN must be printable ASCII without spaces/],
      [
        { GATEHOUSE_TOKEN: "x", GATEHOUSE_TOKEN_FILE: "y" },
        /^gatehouse: Set GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE, not/,
      ],
      [{ GATEHOUSE_TOKEN: "", GATEHOUSE_TOKEN_FILE: "no" }, /^gatehouse: GATEHOUSE_TOKEN_FILE: cannot read no/],
    ] as const) {
      const { code, stderr } = await shell.run(["users", "list"], { environment });
      assert.equal(code, 64);
      assert.match(stderr, expected);
    }
  });
});
