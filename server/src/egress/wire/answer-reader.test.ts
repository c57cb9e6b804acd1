import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { AnswerReader } from "./answer-reader.ts";
import { BadAnswer } from "./bad-answer.ts";

interface Received {
  status: number | undefined;
  headers: Record<string, string>;
  body: string;
  /** Undefined while incomplete. */
  clean: boolean | undefined;
}

function listen() {
  const received: Received = { status: undefined, headers: {}, body: "", clean: undefined };
  const reader = new AnswerReader({
    head(head) {
      received.status = head.status;
      received.headers = Object.fromEntries(head.headers);
    },
    data: (chunk) => {
      received.body += chunk.toString("latin1");
    },
    end: (clean) => {
      received.clean = clean;
    },
  });
  reader.expect();
  return { received, reader };
}

function read(...pieces: string[]): Received {
  const { received, reader } = listen();
  for (const piece of pieces) reader.push(Buffer.from(piece, "latin1"));
  return received;
}

function refuses(answer: string): void {
  assert.throws(() => read(answer), BadAnswer, JSON.stringify(answer.slice(0, 80)));
}

const OK = "HTTP/1.1 200 OK\r\n";

describe("reading a response", () => {
  it("reads a body of the announced length, with headers in any case and spacing", () => {
    assert.deepEqual(read(`${OK}Content-Length:  5 \t\r\nX-A:\r\nx-b: \xe4\r\nX-B: 2\r\n\r\nhello`), {
      status: 200,
      headers: { "content-length": "5", "x-a": "", "x-b": "\xe4, 2" },
      body: "hello",
      clean: true,
    });
  });

  it("reads chunks with extensions and trailers", () => {
    const answer = `${OK}transfer-encoding: Chunked\r\n\r\n5;x="y"\r\nhello\r\n00A\r\n, world!!!\r\n0\r\nx: y\r\n\r\n`;
    const { body, clean } = read(answer);
    assert.deepEqual({ body, clean }, { body: "hello, world!!!", clean: true });
  });

  it("reads no body with 204 and 304, whatever their headers announce", () => {
    for (const status of [204, 304]) {
      const { clean, body } = read(`HTTP/1.1 ${status} X\r\ncontent-length: 5\r\n\r\n`);
      assert.deepEqual({ clean, body }, { clean: true, body: "" });
    }
  });

  it("skips interim responses", () => {
    const early = "HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n";
    assert.equal(read(`${early}HTTP/1.1 100\r\n\r\n${OK}content-length: 0\r\n\r\n`).status, 200);
  });

  it("ends a response without a length with the connection, and never before", () => {
    const { received, reader } = listen();
    reader.push(Buffer.from(`${OK}\r\nsome`));
    assert.equal(received.clean, undefined);
    assert.equal(reader.close(), true);
    assert.deepEqual([received.body, received.clean], ["some", false]);
  });

  it("does not treat a connection that closes midway as the end", () => {
    for (const part of [
      "",
      "HTTP/1.1 2",
      `${OK}content-length: 3\r\n\r\nab`,
      `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`,
    ]) {
      const { received, reader } = listen();
      if (part !== "") reader.push(Buffer.from(part));
      assert.equal(reader.close(), false);
      assert.equal(received.clean, undefined);
    }
  });
});

describe("response smuggling (GW-3)", () => {
  it("ignores bytes after a response, and marks the connection as not clean", () => {
    const { body, clean, status } = read(`${OK}content-length: 2\r\n\r\nok${OK}content-length: 5\r\n\r\nwrong`);
    assert.deepEqual({ body, clean, status }, { body: "ok", clean: false, status: 200 });
    assert.equal(read(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n\r\nx`).clean, false);
    assert.equal(read(`HTTP/1.1 204 X\r\n\r\nx`).clean, false);
  });

  it("rejects bytes without a request", () => {
    const { reader } = listen();
    reader.push(Buffer.from(`${OK}content-length: 0\r\n\r\n`));
    assert.throws(() => reader.push(Buffer.from(OK)), BadAnswer);
  });

  it("rejects every ambiguous length", () => {
    for (const headers of [
      "content-length: 5\r\ncontent-length: 5",
      "content-length: 5\r\nContent-Length: 6",
      "content-length: 5, 5",
      "content-length: +5",
      "content-length: -1",
      "content-length: 0x5",
      "content-length: 5.0",
      "content-length: ",
      "content-length: 9999999999999999",
      "content-length: 5\r\ntransfer-encoding: chunked",
      "transfer-encoding: chunked\r\ntransfer-encoding: chunked",
      "transfer-encoding: gzip, chunked",
      "transfer-encoding: identity",
      "transfer-encoding: \x0bchunked",
      "transfer-encoding: ",
    ]) {
      refuses(`${OK}${headers}\r\n\r\nhello`);
    }
    refuses("HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n");
  });

  it("rejects headers that HTTP does not allow", () => {
    for (const header of [
      "content-length : 5",
      " content-length: 5",
      "x: y\r\n folded",
      "x: y\r\n\tfolded",
      "no colon",
      ": no name",
      "x: a\nb: c",
      "x: a\rb",
      "x: \0",
      "x\0y: z",
      "x y: z",
      "x: \x7f",
    ]) {
      refuses(`${OK}${header}\r\ncontent-length: 0\r\n\r\n`);
    }
  });

  it("rejects invalid status lines", () => {
    for (const line of ["HTTP/2 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1  200 OK", "http/1.1 200 OK"]) {
      refuses(`${line}\r\n\r\n`);
    }
    refuses("ICY 200 OK\r\n\r\n");
    refuses("\r\nHTTP/1.1 200 OK\r\n\r\n");
    refuses("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });

  it("rejects invalid chunks", () => {
    for (const chunk of [
      "\r\n",
      "-1\r\n",
      "0x5\r\nhello\r\n",
      "5 \nhello\r\n",
      "5\r\nhelloo\r\n",
      "g\r\n",
      "5;\0\r\nhello\r\n",
    ]) {
      refuses(`${OK}transfer-encoding: chunked\r\n\r\n${chunk}`);
    }
    refuses(`${OK}transfer-encoding: chunked\r\n\r\n${"1".repeat(13)}\r\n`);
  });
});

describe("bounds", () => {
  it("limits the size of a head, a chunk's line and trailers, even if they never end", () => {
    refuses(`${OK}x: ${"y".repeat(33_000)}`);
    refuses(`${OK}x: ${"y".repeat(33_000)}\r\n\r\n`);
    refuses(`${OK}${"x: y\r\n".repeat(257)}\r\n`);
    refuses(`${OK}transfer-encoding: chunked\r\n\r\n5;${"x".repeat(2_000)}`);
    refuses(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n${"x: y\r\n".repeat(9_000)}`);
  });
});

describe("in pieces", () => {
  it("reads the same response from any chunking", (t) => {
    const bodies = fc.array(
      fc.string({ minLength: 1, maxLength: 40 }).filter((text) => /^[\x20-\x7e]+$/.test(text)),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        bodies,
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (parts, chunked, cuts) => {
          const body = parts.join("");
          const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("");
          const answer = chunked
            ? `${OK}transfer-encoding: chunked\r\nx: y\r\n\r\n${chunks}0\r\nt: u\r\n\r\n`
            : `${OK}x: y\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
          const pieces: string[] = [];
          for (let at = 0, n = 0; at < answer.length; n++) {
            const size = cuts[n % cuts.length] ?? 1;
            pieces.push(answer.slice(at, at + size));
            at += size;
          }
          const received = read(...pieces);
          assert.deepEqual([received.body, received.clean, received.headers.x], [body, true, "y"]);
        },
      ),
      { seed: seedFor(t), numRuns: 500 },
    );
  });

  it("treats any bytes as a response, a part of one, or a bad response", (t) => {
    const mutated = fc.tuple(fc.nat(200), fc.uint8Array({ minLength: 1, maxLength: 4 }));
    const answers = [
      `${OK}content-length: 11\r\nconnection: keep-alive\r\n\r\nhello world`,
      `${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...answers), fc.array(mutated, { maxLength: 4 }), (answer, mutations) => {
        const bytes = Buffer.from(answer, "latin1");
        for (const [at, patch] of mutations) Buffer.from(patch).copy(bytes, at % bytes.length);
        const { reader } = listen();
        try {
          reader.push(bytes);
          reader.close();
        } catch (error) {
          assert.ok(error instanceof BadAnswer);
        }
      }),
      { seed: seedFor(t), numRuns: 2_000 },
    );
  });
});
