import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { Browser as HttpBrowser } from "#test/browser";
import { localServer, remoteServer, reported, skill } from "#test/discovery-report";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("AI discovery", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let auditor: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    auditor = await signIn(installation, "auditor");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });
  const report = async (device: string, mcp_servers: object[]) => {
    const answer = await installation.service.api(
      "POST",
      "/api/ai-discovery/reports",
      reported(device, { mcp_servers }),
    );
    assert.equal(answer.status, 200, answer.text);
  };

  it("explains the roll-out before the first report", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery");
      await page.getByText("No device has reported yet").waitFor();
      await page.getByRole("link", { name: "Roll out the scan agent" }).click();
      await page.getByRole("heading", { name: "Roll out the scan agent" }).waitFor();
      const { text } = await installation.service.http("/downloads/gatehouse-scan.mjs");
      await page.getByText(createHash("sha256").update(text).digest("hex")).waitFor();
      await page.getByRole("button", { name: "Copy SHA-256" }).waitFor();
      await page.getByText("node gatehouse-scan.mjs daemon --all-users --enforce").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });

  it("shows on a device what the last report does not cover", async () => {
    const errors = [
      { path: "~/.claude.json", code: "parse_error" },
      { path: "~/code", code: "too_many_entries" },
    ];
    const body = reported("unread", { errors });
    assert.equal((await installation.service.api("POST", "/api/ai-discovery/reports", body)).status, 200);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery/devices?device=unread");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("~/.claude.json").waitFor();
      await dialog.getByText("Too many entries; some were not read").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
    await installation.service.api("DELETE", "/api/ai-discovery/devices?id=unread");
  });

  it("shows a new unmanaged server and brings it under management", async () => {
    await report("one", [
      remoteServer("notes", "https://mcp.notes.example/mcp"),
      remoteServer("<img src=x onerror=alert(1)>", "https://mcp.evil.example/mcp"),
      localServer("git", ["-y", "@acme/git@1.0.0"]),
    ]);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery");
      await page.getByText("Outside the gateway").waitFor();
      await page.getByText("100%").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("link", { name: "Inventory" }).click();
      await page.getByText("https://mcp.notes.example/mcp").click();
      await page.getByRole("dialog").getByText("one.local").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("button", { name: "Bring under management" }).click();
      await page.waitForURL(/\/mcp-servers\/notes/);
      await page.getByText("Draft").first().waitFor();
    });
  });

  it("blocks another server with one click, and shows the violation", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery/inventory?q=evil");
      await page.getByText("https://mcp.evil.example/mcp").click();
      await page.getByRole("button", { name: "Block everywhere" }).click();
      await page.getByRole("link", { name: "Show violations" }).click();
      const row = page.getByRole("row").filter({ hasText: "one.local" }).filter({ hasText: "Blocked" });
      await row.getByText("<img src=x onerror=alert(1)>").first().waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });

  it("imports a discovered skill as a draft, and only if its text was stored", async () => {
    const { service } = installation;
    const sendSkill = async (device: string) => {
      const content = "---\nname: summarize\ndescription: Summarizes tickets\n---\nSummarize the ticket.\n";
      const body = reported(device, { skills: [skill("summarize", { files_count: 3, content })] });
      const answer = await service.api("POST", "/api/ai-discovery/reports", body);
      assert.deepEqual([answer.status, answer.body.data.rejected], [200, []], answer.text);
    };
    await sendSkill("two");
    await browser.withPage({ as: owner }, async (page) => {
      const dialog = page.getByRole("dialog");
      const openSkill = async (device: string) => {
        await page.goto("/discovery/inventory?tab=skills");
        await page.getByText("summarize").first().click();
        await dialog.getByText(device).waitFor();
      };
      const importButton = dialog.getByRole("button", { name: "Import as draft" });
      await openSkill("two.local");
      assert.equal(await importButton.count(), 0, "the setting is off");
      await page.goto("/settings");
      await page.getByLabel("Store texts of discovered skills").click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      await sendSkill("three");
      await openSkill("three.local");
      assert.deepEqual(await seriousFindings(page), []);
      await importButton.click();
      await page.waitForURL(/\/skills\/summarize/);
      await page.getByText("Add the 2 other files of this skill before you activate it").waitFor();
      await page.getByText("Draft").first().waitFor();
      await openSkill("three.local");
      await dialog.getByText("Approved").waitFor();
    });
    const { data } = (await service.api("GET", "/api/skills/summarize")).body;
    assert.deepEqual([data.status, data.content.trim()], ["draft", "Summarize the ticket."]);
  });

  it("orders rules with the keyboard, and shows what a new rule would change", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery/policy");
      await page.getByRole("button", { name: "Create rule" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Name" }).first().fill("Packages of Acme");
      await dialog.getByRole("combobox", { name: "Package" }).fill("npm:@acme/*");
      await page.keyboard.press("Enter");
      await dialog.getByText("Changes 1 decision").waitFor();
      await dialog.getByText("git: Warning → Blocked on 1 device").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await dialog.getByRole("button", { name: "Create rule" }).click();
      await dialog.waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Move Packages of Acme up" }).press("Enter");
      const first = page.getByRole("list", { name: "Rules" }).getByRole("listitem").first();
      await first.getByText("Packages of Acme").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });

  it("orders rules by dragging them", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery/policy");
      const rules = page.getByRole("list", { name: "Rules" }).getByRole("listitem");
      await rules.first().getByText("Packages of Acme").waitFor();
      const dragged = page.evaluate<readonly string[]>(
        `new Promise((resolve) => document.addEventListener("dragstart", (event) => resolve(event.dataTransfer.types)))`,
      );
      await rules.first().dragTo(rules.last());
      assert.deepEqual(await dragged, ["text/plain"], "Firefox starts no drag without data");
      await rules.last().getByText("Packages of Acme").waitFor();
      await page.reload();
      await rules.last().getByText("Packages of Acme").waitFor();
      await rules.last().dragTo(rules.first());
      await rules.first().getByText("Packages of Acme").waitFor();
    });
  });

  it("edits unusual conditions and the end of a rule, and shows the difference in the history", async () => {
    await browser.withPage({ as: owner, width: 375 }, async (page) => {
      await page.goto("/discovery/policy");
      await page.getByRole("button", { name: "Edit Packages of Acme" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "More conditions" }).click();
      await dialog.getByRole("combobox", { name: "Package without a version" }).click();
      await page.getByRole("option", { name: "Yes" }).click();
      await dialog.getByLabel("Expires").fill("2099-01-31T09:30");
      assert.deepEqual(await seriousFindings(page), []);
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await dialog.waitFor({ state: "hidden" });
      await page.goto("/discovery/policy?tab=history");
      await page
        .getByText(/Package: npm:@acme\/\*, Package without a version: yes/)
        .first()
        .waitFor();
    });
    const rules = (await installation.service.api("GET", "/api/ai-discovery-policy/rules")).body.data;
    const rule = rules.find((each: { name: string }) => each.name === "Packages of Acme");
    assert.deepEqual(rule.match, { package: ["npm:@acme/*"], unpinned: true });
    assert.ok(rule.expires_at.startsWith("2099-01-3"));
  });

  it("reports a rule that was deleted elsewhere, and focuses the button that opened a dialog", async () => {
    const body = { name: "Deleted elsewhere", kind: "mcp_server", action: "warn", match: { name: ["none"] } };
    const { data } = (await installation.service.api("POST", "/api/ai-discovery-policy/rules", body)).body;
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery/policy");
      const dialog = page.getByRole("dialog");
      const edit = page.getByRole("button", { name: "Edit Deleted elsewhere" });
      await edit.press("Enter");
      await dialog.getByRole("textbox", { name: "Name" }).first().waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      await page.locator(":focus").and(edit).waitFor();
      await installation.service.api("DELETE", `/api/ai-discovery-policy/rules?id=${data.id}`);
      await page.goto(`/discovery/policy?rule=${data.id}`);
      await page.getByRole("dialog", { name: "Rule not found" }).getByText("It may have been deleted.").waitFor();
      assert.equal(await dialog.getByRole("textbox").count(), 0);
    });
  });

  it("offers auditors no changes, and fits a phone", async () => {
    await browser.withPage({ as: auditor }, async (page) => {
      await page.goto("/discovery/policy");
      await page.getByText("Packages of Acme").first().waitFor();
      assert.equal(await page.getByRole("button", { name: /^(Create|Edit|Delete|Move)/ }).count(), 0);
      await page.goto("/discovery/inventory");
      await page.getByText("@acme/git").first().click();
      await page.getByRole("dialog").getByText("one.local").waitFor();
      assert.equal(await page.getByRole("button", { name: /Approve|Reject|Block|Bring/ }).count(), 0);
      await page.goto("/discovery/inventory?tab=skills");
      await page.getByText("summarize").first().click();
      await page.getByRole("dialog").getByText("two.local").waitFor();
      assert.equal(await page.getByRole("button", { name: /Approve|Reject|Block|Import/ }).count(), 0);
    });
    await browser.withPage({ as: owner, width: 375 }, async (page) => {
      for (const path of ["/discovery", "/discovery/inventory", "/discovery/devices", "/discovery/policy"]) {
        await page.goto(path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForLoadState("networkidle");
        await assertFits(page, 375, path);
      }
    });
  });

  it("moves one of several hundred rules with the keyboard, and does not evaluate expired rules", async () => {
    const create = async (name: string, rest: object) => {
      const body = { name, kind: "mcp_server", action: "block", match: { name: ["none"] }, ...rest };
      const answer = await installation.service.api("POST", "/api/ai-discovery-policy/rules", body);
      assert.equal(answer.status, 201, answer.text);
    };
    await report("four", [localServer("any", [])]);
    await create("Expired", { match: { name: ["*"] }, expires_at: "2020-01-01T00:00:00Z" });
    for (let at = 0; at < 205; at++) await create(`Bulk ${at}`, {});
    const names = async (): Promise<string[]> => {
      const path = "/api/ai-discovery-policy/rules?limit=200&cursor=100";
      return (await installation.service.api("GET", path)).body.data.map(({ name }: { name: string }) => name);
    };
    await browser.withPage({ as: owner, height: 800 }, async (page) => {
      await page.goto("/discovery/policy");
      const row = (at: number) => page.getByRole("list", { name: "Rules" }).getByRole("listitem").nth(at);
      await page.getByText("Bulk 204", { exact: true }).waitFor();
      const last = (await names()).length + 99;
      await page.getByRole("button", { name: "Move Bulk 204 up" }).press("Enter");
      await row(last - 1)
        .getByText("Bulk 204")
        .waitFor();
      await page
        .locator(":focus")
        .and(page.getByRole("button", { name: "Move Bulk 204 up" }))
        .waitFor();
      await page.keyboard.press("Enter");
      await row(last - 2)
        .getByText("Bulk 204")
        .waitFor();
      assert.deepEqual((await names()).slice(-3), ["Bulk 204", "Bulk 202", "Bulk 203"]);
      await page.getByRole("button", { name: "Create rule" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox", { name: "Name of the server" }).fill("nothing-has-this-name");
      await page.keyboard.press("Enter");
      await dialog.getByText("This rule changes no decision about what was discovered so far.").waitFor();
    });
  });

  it("shows all packages and the entire command line of a server", async () => {
    const script = `cd /srv/${"a-long-folder/".repeat(20)} && npx -y @other/server`;
    const args = ["-c", script];
    await report("three", [{ ...localServer("scripted", []), command: "sh", args }]);
    await browser.withPage({ as: owner, width: 375 }, async (page) => {
      await page.goto("/discovery/inventory?q=scripted");
      await page.getByText("scripted").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("npm:@other/server", { exact: true }).waitFor();
      await dialog.locator("code", { hasText: "@other/server" }).waitFor();
      const isEntire = `[...document.querySelectorAll("[role=dialog] code")].every((each) => each.scrollWidth <= each.clientWidth)`;
      assert.equal(await page.evaluate<boolean>(isEntire), true);
      await assertFits(page, 375, "the panel");
    });
  });
});
