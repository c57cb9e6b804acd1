import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
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

/** Something that listens but need not be Gatehouse. */
async function play(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP listener's address is never a path
  return `http://127.0.0.1:${port}`;
}

describe("help", () => {
  it("is there for every command and verb, with an example that is itself a right command line", async () => {
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
  it("goes to standard output and needs no service", async () => {
    for (const [args, says] of [
      [["groups", "--help"], /^Usage: gatehouse groups <verb> \[options\]\n/],
      [["groups", "create", "-h"], /^Usage: gatehouse groups create <name> \[options\]\n/],
      [["groups", "add-users", "x", "--help"], /^Usage: gatehouse groups add-users <group> <email>… \[options\]\n/],
      [["group", "add-user", "--help"], /^Usage: gatehouse groups add-users <group> <email>… \[options\]\n/],
      [["call", "--help"], /^Usage: gatehouse call <tool> \[options\]\n/],
    ] as const) {
      const { code, stdout, stderr } = await shell.run(args);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, says);
    }
  });
});

describe("bad usage exits with 64 and says what was probably meant", () => {
  const shell = openShell(() => ({ url: "http://127.0.0.1:1", token: "t" }));
  for (const [args, says] of [
    [
      ["groups"],
      "the verb is missing: list, get, create, update, delete, add-servers, remove-server, add-users, remove-user",
    ],
    [["groups", "lsit"], 'unknown verb "lsit". Did you mean list?'],
    [["groups", "toString"], 'unknown verb "toString"'],
    [["groups", "list", "--serch", "x"], "unknown option --serch. Did you mean --search?"],
    [["groups", "create", "x", "--no-show-draft"], "unknown option --no-show-draft. Did you mean --no-show-drafts?"],
    [["groups", "list", "-x"], "unknown option -x"],
    [["groups", "list", "--search"], "--search needs a value"],
    [["groups", "list", "--search", "--limit"], '--search needs a value; write --search=--limit if "--limit" is meant'],
    [["groups", "list", "--limit", "1", "--limit", "2"], "--limit is given twice"],
    [["groups", "list", "-o", "yaml"], '-o must be one of table, json, not "yaml"'],
    [["groups", "delete", "x", "--yes=1"], "--yes takes no value"],
    [["groups", "create"], "<name> is missing"],
    [["groups", "add-servers", "x"], "<server> is missing"],
    [["groups", "create", "a", "b"], '"b" is one argument too many'],
    [["groups", "list", "--url", "ftp://x"], /^--url must be an http or https address/],
    [
      ["groups", "list", "--token", "s3cret"],
      /^--token is not an option, since others can read arguments; use GATEHOUSE_TOKEN/,
    ],
  ] as const) {
    it(args.join(" "), async () => {
      const { code, stdout, stderr } = await shell.run(args);
      assert.deepEqual([code, stdout], [64, ""]);
      const [line = "", hint = ""] = stderr.split("\n");
      if (typeof says === "string") assert.equal(line, `gatehouse: ${says}`);
      else assert.match(line.slice("gatehouse: ".length), says);
      assert.match(hint, /^Run "gatehouse groups.* --help" for usage\.$/);
      assert.ok(!stderr.includes("s3cret"));
    });
  }
});

describe("who listens there", () => {
  const run = async (url: string, ...args: string[]) => {
    const shell = openShell(() => ({ url, token: "t" }));
    return shell.run(args, { environment: { GATEHOUSE_ACCESS_KEY: "a:b" } });
  };

  it("nobody: ends with 5 and names the address and the reason", async () => {
    const url = await play(() => {});
    servers.pop()?.close();
    const { code, stdout, stderr } = await run(url, "groups", "list");
    assert.deepEqual([code, stdout], [5, ""]);
    assert.equal(stderr, `gatehouse: ${url} cannot be reached: connect ECONNREFUSED ${new URL(url).host}\n`);
  });

  it("somebody else: ends with 5 and asks whether the address is right", async () => {
    const url = await play((_, response) => response.writeHead(404).end("<h1>Not Found</h1>"));
    const { code, stderr } = await run(url, "groups", "list");
    assert.deepEqual([code, stderr.includes(`is ${url} the address of Gatehouse?`)], [5, true]);
    assert.equal((await run(url, "tools", "list")).code, 4);
  });

  it("a redirect is not followed: the token goes nowhere else", async () => {
    let hits = 0;
    const elsewhere = await play((_, response) => {
      hits++;
      response.end("{}");
    });
    const url = await play((_, response) => response.writeHead(307, { location: elsewhere }).end());
    assert.equal((await run(url, "groups", "list")).code, 5);
    assert.equal((await run(url, "tools", "list")).code, 5);
    assert.equal(hits, 0);
  });

  it("a failing service: 500 ends with 1 and the request's id, 503 with 5", async () => {
    const answer = (status: number) =>
      play((_, response) => response.writeHead(status, { "x-request-id": "req_7" }).end('{"error":"Failed"}'));
    const failed = await run(await answer(500), "groups", "list");
    assert.deepEqual([failed.code, failed.stderr], [1, "gatehouse: Failed (request req_7)\n"]);
    assert.equal((await run(await answer(503), "groups", "list")).code, 5);
    assert.equal((await run(await answer(503), "tools", "list")).code, 5);
  });

  it("a hostile service: nothing that it says reaches the terminal raw", async () => {
    const evil = "\u001b]0;owned\u0007\u009b2J\u202Ereversed\r\nsecond row\u2028";
    const group = { id: evil, name: evil, settings: {}, created_at: "", updated_at: "" };
    const url = await play((request, response) => {
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

  it("a stream that ends without an answer: ends with 5", async () => {
    const url = await play((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n');
    });
    const { code, stderr } = await run(url, "call", "x__y");
    assert.deepEqual([code, stderr], [5, `1\ngatehouse: ${url}/mcp ended the connection before it answered\n`]);
  });
});

withService("gatehouse beside a service", (world) => {
  const { shell } = world;

  it("loads nothing of the server, so that it starts at once", async () => {
    const hook = `import{registerHooks}from"node:module";import{writeSync}from"node:fs";
      registerHooks({load(url,context,next){writeSync(2,url+"\\n");return next(url,context)}})`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(hook)}`;
    const { code, stderr } = await shell.run(["groups", "list"], { environment: { NODE_OPTIONS } });
    const loaded = stderr.split("\n").filter((line) => line.startsWith("file:"));
    assert.equal(code, 0);
    assert.ok(loaded.some((url) => url.endsWith("/cli/src/verbs/groups.ts")));
    assert.deepEqual(
      loaded.filter((url) => /\/server\/|\/node_modules\/|\/verbs\/(?!groups)/.test(url)),
      [],
    );
  });

  it("accepts a noun in the singular", async () => {
    const [singular, plural] = await Promise.all([shell.run(["user", "list"]), shell.run(["users", "list"])]);
    assert.deepEqual(singular, plural);
    assert.equal(singular.code, 0);
  });

  it("ends quietly with 0 when its reader has seen enough", async () => {
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

  it("works with the variables of a machine user's .env file, also with /mcp behind the URL", async () => {
    const { url } = world.service;
    const { credential } = await createMachineUser(world.service, "Env bot");
    for (const GATEHOUSE_URL of [url, `${url}/`, `${url}/mcp`, `${url}/mcp/`]) {
      const environment = { GATEHOUSE_URL, GATEHOUSE_TOKEN: "", GATEHOUSE_ACCESS_KEY: credential };
      const { code, stderr } = await shell.run(["tools", "list"], { environment });
      assert.deepEqual([code, stderr], [0, "No tools.\n"], GATEHOUSE_URL);
    }
    const half = { GATEHOUSE_ACCESS_KEY: credential.split(":")[0] ?? "" };
    const { stderr } = await shell.run(["tools", "list"], { environment: half });
    assert.match(stderr, /^gatehouse: GATEHOUSE_ACCESS_KEY must be <access key>:<secret>\n/);
  });

  it("takes the first token from DATA_DIR, but only for a service on this machine", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "admin-token"), `${world.service.token}\n`);
    const first = { GATEHOUSE_TOKEN: "", DATA_DIR: join(folder, "data") };
    assert.equal((await shell.run(["users", "list"], { environment: first })).code, 0);
    const away = await shell.run(["users", "list", "--url", "http://gatehouse.invalid"], { environment: first });
    const none = "gatehouse: there is no API token: set GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE\n";
    assert.deepEqual([away.code, away.stderr], [3, none]);
  });

  it("takes a token that no header can carry for a mistake, and does not show it", async () => {
    for (const [environment, says] of [
      [{ GATEHOUSE_TOKEN: "two\nlines" }, /^gatehouse: GATEHOUSE_TOKEN: what it holds is not one word/],
      [
        { GATEHOUSE_TOKEN: "x", GATEHOUSE_TOKEN_FILE: "y" },
        /^gatehouse: give GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE, not/,
      ],
      [{ GATEHOUSE_TOKEN: "", GATEHOUSE_TOKEN_FILE: "no" }, /^gatehouse: GATEHOUSE_TOKEN_FILE: no cannot be read/],
    ] as const) {
      const { code, stderr } = await shell.run(["users", "list"], { environment });
      assert.equal(code, 64);
      assert.match(stderr, says);
    }
  });
});
