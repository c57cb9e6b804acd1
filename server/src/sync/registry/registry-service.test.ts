import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { registryServer, startRegistry } from "#test/registry";
import { startService } from "#test/start-service";

forEachDatabase("a service with a registry", (open) => {
  // Much shorter than the timeout of a page.
  const timeout = 15_000;

  it("syncs it at start and shuts down while it hangs", { timeout }, async () => {
    const database = await open();
    const registry = await startRegistry([registryServer({ name: "com.example/notes", title: "Notes" })]);
    const config = { registrySync: "on", registryUrl: registry.origin } as const;
    const service = await startService(database, { config });
    const listed = async () => (await service.api("GET", "/api/connectors?source=registry")).body.data;
    while ((await listed()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await listed())[0].name, "Notes");
    await service.close();
    const hung = new Promise<void>((resolve) => {
      registry.answer = () => resolve();
    });
    const again = await startService(database, { config });
    assert.equal((await again.http("/readyz")).status, 200);
    await hung;
    await again.close();
    await registry.close();
  });
});
