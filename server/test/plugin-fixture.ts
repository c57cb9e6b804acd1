/** A service with a group "G" and a member, a user outside of it, a skill "notes" and a command "release-notes". */
import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { readZip } from "#lib/zip/read-zip";
import type { TestDatabase } from "./databases.ts";
import { createGroup, createMachineUser, type MachineUser } from "./factories.ts";
import { createGitClient, type GitClient } from "./git-client.ts";
import { type HttpAnswer, type Service, startService } from "./start-service.ts";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

/** What `before` sets. */
interface Started {
  readonly database: TestDatabase;
  readonly service: Service;
  readonly git: GitClient;
  readonly member: MachineUser;
  readonly stranger: MachineUser;
}

export class PluginFixture {
  #started: Started | undefined;

  constructor(open: () => Promise<TestDatabase>) {
    before(async () => {
      const database = await open();
      const service = await startService(database);
      const member = await createMachineUser(service, "member");
      const stranger = await createMachineUser(service, "stranger");
      this.#started = { database, service, git: await createGitClient(), member, stranger };
      await createGroup(service, "G", { emails: [member.email] });
      await createGroup(service, "Other", { emails: [stranger.email] });
    });
    after(async () => {
      await this.#started?.service.close();
      await this.#started?.git.close();
    });
    beforeEach(() => this.#reset());
  }

  get now(): Started {
    return this.#started ?? assert.fail("not started");
  }

  async #reset(): Promise<void> {
    const { service, git } = this.now;
    await git.clear();
    for (const kind of ["plugins", "commands", "skills"]) {
      const { body } = await service.api("GET", `/api/${kind}?limit=200`);
      for (const { slug } of body.data) await service.api("DELETE", `/api/${kind}?slug=${slug}&force=true`);
    }
    await this.write("POST", "/api/skills", {
      ...{ name: "notes", description: "Notes.", content: "# Notes\n" },
      files: [
        { path: "scripts/run.sh", content: "#!/bin/sh\n", executable: true },
        { path: "assets/dot.png", content_base64: PNG.toString("base64") },
      ],
    });
    await this.write("POST", "/api/commands", { name: "Release notes", content: "Notes for {{ticket}}" });
  }

  readonly write = async (method: string, path: string, body?: object): Promise<HttpAnswer["body"]> => {
    const answer = await this.now.service.api(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };

  readonly publish = async (slug: string, body: object = {}) =>
    (await this.write("POST", `/api/plugins/${slug}/publish`, body)).data;

  /** Creates and publishes. */
  readonly create = async (name: string, rest: object = {}) => {
    const parts = { skills: ["notes"], commands: ["release-notes"], groups: ["G"] };
    const { data } = await this.write("POST", "/api/plugins", { name, ...parts, ...rest });
    return this.publish(data.slug);
  };

  readonly urlOf = (name: string, { credential }: Pick<MachineUser, "credential"> = this.now.member) =>
    `${this.now.service.url.replace("://", `://${credential}@`)}/plugins/${name}.git`;

  /** As the member, unless there is a header. */
  readonly get = (path: string, authorization = `Bearer ${this.now.member.credential}`) =>
    this.now.service.http(`/plugins/${path}`, { headers: authorization === "" ? {} : { authorization } });

  /** By path, with `*` after the path of an executable file. */
  readonly releaseFiles = async (slug: string, query = "") => {
    const answer = await this.now.service.api("GET", `/api/plugins/${slug}/download${query}`);
    const limits = { maxEntries: 1_000, maxFileBytes: 1e6, maxBytes: 1e7, maxRatio: 1_000 };
    const files = await readZip(answer.bytes, limits);
    return new Map(
      files.map(({ path, content, executable }) => [
        `${path.slice(slug.length + 1)}${executable ? "*" : ""}`,
        Buffer.from(content),
      ]),
    );
  };
}

export function sorted(files: ReadonlyMap<string, Buffer>): [string, Buffer][] {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}
