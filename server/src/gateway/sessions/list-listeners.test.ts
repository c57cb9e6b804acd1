import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testClock } from "#test/clock";
import { exampleServer } from "#test/example-entries";
import type { ServerEntry, UpstreamEntry } from "../snapshot/shape.ts";
import type { ListenerEvents } from "../upstream/listen/listener.ts";
import type { Announcements } from "./announcements.ts";
import { ListListeners } from "./list-listeners.ts";

const server = (id: string, upstream: Partial<UpstreamEntry> = {}): ServerEntry => ({
  ...exampleServer(id, [], { id }),
  upstream: { url: `http://${id}/mcp`, transport: "http", authType: "none", eras: ["modern"], ...upstream },
});

function setUp(wanted: ServerEntry[]) {
  const clock = testClock();
  const said: string[] = [];
  const events = new Map<string, ListenerEvents>();
  const announcements = {
    received: (id: string, kind: string, userId?: string) =>
      void said.push(["received", id, kind, userId].join(" ").trim()),
    missed: (id: string) => void said.push(`missed ${id}`),
  } as unknown as Announcements; // all that is used
  const listening = new ListListeners({
    clock,
    wanted: (most) =>
      wanted
        .slice(0, most)
        .map((one) => (one.upstream?.authType === "none" ? { server: one } : { server: one, userId: "u" })),
    listen: (to, userId, listenerEvents) => {
      said.push(`open ${to.server.id} ${to.era}${userId === undefined ? "" : ` as ${userId}`}`);
      events.set(to.server.id, listenerEvents);
      return { close: () => void said.push(`close ${to.server.id}`) };
    },
    announcements,
  });
  const look = () => {
    listening.checkSoon();
    clock.advance(1_000);
    return said.splice(0);
  };
  return { clock, said, listening, look, on: (id: string) => events.get(id) };
}

describe("Listening", () => {
  it("keeps one listener per server that callers listen to, and closes it a minute after the last one left", () => {
    const wanted = [server("a"), server("b", { eras: ["legacy"] })];
    const { clock, look, said } = setUp(wanted);
    assert.deepEqual(look(), ["open a modern", "open b legacy"]);
    assert.deepEqual(look(), []);
    wanted.pop();
    assert.deepEqual(look(), []);
    clock.advance(30_000);
    wanted.push(server("b", { eras: ["legacy"] }));
    assert.deepEqual(look(), []);
    wanted.length = 0;
    assert.deepEqual(look(), []);
    clock.advance(3 * 60_000);
    assert.deepEqual(said, ["close a", "close b"]);
  });

  it("listens with the credential of the user if the server needs one, and not to a server with unknown eras", () => {
    const { look, said, on } = setUp([
      server("a", { authType: "proxy-oauth" }),
      server("b", { transport: "stdio", eras: [] }),
      server("c", { transport: "sse", eras: [] }),
      server("d", { eras: [] }),
      exampleServer("e", [], { upstream: undefined }),
    ]);
    assert.deepEqual(look(), ["open a modern as u", "open b legacy", "open c legacy"]);
    on("a")?.changed("tools");
    assert.deepEqual(said, ["received a tools u"]);
  });

  it("reports changes, and possibly missed ones after a reconnect", () => {
    const { clock, look, said, on } = setUp([server("a")]);
    look();
    on("a")?.opened();
    on("a")?.changed("prompts");
    on("a")?.ended("broken");
    assert.deepEqual(said.splice(0), ["received a prompts"]);
    clock.advance(1_000);
    on("a")?.opened();
    assert.deepEqual(said.splice(0), ["open a modern", "missed a"]);
  });

  it("retries a broken listener with growing delays, and a server without notifications once an hour", () => {
    const { clock, look, said, on } = setUp([server("a")]);
    look();
    for (let tries = 0; tries < 20; tries++) {
      on("a")?.ended("broken");
      clock.advance(60 * 60_000);
      assert.deepEqual(said.splice(0), ["open a modern"]);
    }
    on("a")?.ended("never");
    clock.advance(59 * 60_000);
    assert.deepEqual(said, []);
    clock.advance(60_000);
    assert.deepEqual(said, ["open a modern"]);
  });

  it("opens a new listener when the URL changes, and closes all on close", () => {
    const wanted = [server("a")];
    const { look, listening, said } = setUp(wanted);
    look();
    wanted[0] = server("a", { url: "http://elsewhere/mcp" });
    assert.deepEqual(look(), ["close a", "open a modern"]);
    listening.close();
    assert.deepEqual([said.splice(0), look()], [["close a"], []]);
  });

  it("limits the number of listeners", () => {
    const { look } = setUp(Array.from({ length: 300 }, (_, i) => server(`s${i}`)));
    assert.equal(look().length, 200);
  });
});
