import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { it } from "node:test";
import { closePort, openPort } from "./open-port.ts";

it("closes connections without a request immediately, and those with one after its response (OPS-1)", async () => {
  const answers: (() => void)[] = [];
  const listener = createServer((_request, response) => void answers.push(() => response.end("done")));
  const port = await openPort(listener, { host: "127.0.0.1", port: 0 });
  const [unused, used] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  used.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  let received = "";
  used.on("data", (chunk) => (received += chunk));
  unused.resume();
  await once(listener, "request");
  let gaveUp = false;
  const closed = closePort(listener, async () => {
    gaveUp = true;
  });
  await once(unused, "close");
  assert.equal(received, "");
  for (const answer of answers) answer();
  await closed;
  assert.match(received, /done$/);
  assert.equal(gaveUp, false);
});
