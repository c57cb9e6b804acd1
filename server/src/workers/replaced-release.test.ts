import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onSqlite } from "#test/databases";
import { createPerson } from "#test/factories";
import { type MailServer, startMailServer } from "#test/mail-server";
import { ofRelease } from "#test/next-release";
import { WorkerService } from "#test/worker-service";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BUNDLE = join(ROOT, "dist/bin");
/** What the bundle reads at run time. */
const LINKED = ["server", "web", "scan", "openapi", "package.json"];
const ADA = "ada@example.com";

onSqlite("a release that is replaced while it runs (decision 0214)", (open) => {
  let folder = "";
  let mail: MailServer;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-releases-"));
    mail = await startMailServer();
  });
  after(async () => {
    await mail.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An installation of this code as a release with another build. */
  const install = (place: string, release: string) => {
    const root = join(folder, place);
    mkdirSync(join(root, "dist"), { recursive: true });
    for (const path of LINKED) symlinkSync(join(ROOT, path), join(root, path));
    cpSync(BUNDLE, join(root, "dist/bin"), { recursive: true });
    const { build } = JSON.parse(readFileSync(join(root, "dist/bin/build.json"), "utf8"));
    renameSync(join(root, "dist/bin", build), join(root, "dist/bin", release));
    writeFileSync(join(root, "dist/bin/gatehouse.mjs"), `import "./${release}/gatehouse.mjs";\n`);
  };
  const remove = (place: string) => rmSync(join(folder, place), { recursive: true });

  const start = async (test: TestContext, place: string) => {
    const environment = {
      ...{ SMTP_HOST: "127.0.0.1", SMTP_PORT: String(mail.port), SMTP_TLS: "none", SMTP_FROM: "gatehouse@example.com" },
    };
    const bin = join(folder, place, "dist/bin/gatehouse.mjs");
    const workers = await WorkerService.start(await open(), environment, ofRelease(bin));
    test.after(() => workers.close());
    await createPerson(workers.service, ADA, ADA);
    return workers;
  };

  /** The mail client is loaded on first use. */
  const sendTestEmail = async ({ service }: WorkerService) => {
    const { status, body } = await service.api("POST", "/api/email/test", { to: ADA });
    return body.data?.error ?? body.message ?? `sent ${status}`;
  };
  /** The thread that checks reports reads its code when it starts. */
  const sendReport = ({ service }: WorkerService) => service.api("POST", "/api/ai-discovery/reports", {});

  const reload = async (workers: WorkerService) => {
    const old = workers.pids();
    process.kill(workers.service.pid, "SIGHUP");
    await workers.untilServing(2, old);
  };

  it("works until SIGHUP and afterwards if each release has a folder and a link names the current one", async (test) => {
    install("1.0", "first");
    install("2.0", "second");
    symlinkSync("1.0", join(folder, "current"));
    const workers = await start(test, "current");
    symlinkSync("2.0", join(folder, "next"));
    renameSync(join(folder, "next"), join(folder, "current"));
    assert.equal(await sendTestEmail(workers), "sent 200");
    assert.equal((await sendReport(workers)).status, 400);
    await reload(workers);
    remove("1.0");
    assert.equal(await sendTestEmail(workers), "sent 200");
    assert.equal((await sendReport(workers)).status, 400);
  });

  it("loads no code of the other release if its files were replaced, and says what to do until SIGHUP", async (test) => {
    install("in-place", "first");
    const workers = await start(test, "in-place");
    remove("in-place");
    install("in-place", "second");
    assert.match(await sendTestEmail(workers), /^The files of this release were replaced .* send SIGHUP instead\.$/);
    assert.equal((await sendReport(workers)).status, 500);
    // The output of the process can arrive after its response.
    while (!workers.service.unexpectedOutput().includes("The files of this release were replaced")) await sleep(20);
    await reload(workers);
    assert.equal(await sendTestEmail(workers), "sent 200");
    assert.equal((await sendReport(workers)).status, 400);
  });
});
