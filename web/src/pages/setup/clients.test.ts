import assert from "node:assert/strict";
import { it } from "node:test";
import { CLIENT_IDS } from "./client-ids.ts";
import { CLIENTS, callersOf } from "./clients.ts";

const URL_OF = "https://gatehouse.example.com/mcp";

it("includes the URL in every client's steps, and the access key only for machine users", () => {
  for (const id of CLIENT_IDS) {
    for (const caller of callersOf(id)) {
      const steps = CLIENTS[id].steps({ url: URL_OF, name: "gatehouse", caller });
      const codes = steps.map(({ code }) => code ?? "").join("\n");
      assert.ok(codes.includes(URL_OF), `${id} ${caller}`);
      const carries = /GATEHOUSE_ACCESS_KEY|input:gatehouse/.test(codes);
      assert.equal(carries, caller === "machine", `${id} ${caller}`);
    }
  }
});

it("quotes a URL with a query in commands, because shells expand it", () => {
  const url = `${URL_OF}?tools=search`;
  for (const id of ["claude-code", "codex", "curl"] as const) {
    const steps = CLIENTS[id].steps({ url, name: "gatehouse", caller: "machine" });
    const codes = steps.map(({ code }) => code ?? "").join("\n");
    assert.ok(codes.includes(`"${url}"`), id);
  }
});

it("includes the server's configuration in the link of a client", () => {
  const [first] = CLIENTS.cursor.steps({ url: URL_OF, name: "gatehouse", caller: "person" });
  const link = new URL(first?.link?.href ?? "");
  assert.deepEqual(JSON.parse(atob(link.searchParams.get("config") ?? "")), { url: URL_OF });
});
