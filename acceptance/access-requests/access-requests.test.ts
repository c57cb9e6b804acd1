import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { Person } from "../kit/person.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

forEachTarget("Access requests", (api) => {
  let upstream: Upstream;
  let ada: Person;
  let slug: string;
  before(async () => {
    upstream = await startUpstream();
    slug = await api.serverOf(upstream.url);
    ada = await Person.signedIn(api);
  });
  after(() => upstream.close());

  const ask = async (body: object = {}) => {
    const answer = await ada.call("POST", "/api/me/requests", { server: slug, reason: "On-call", ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const granted = async () => {
    const { data } = await api.body(200, "GET", `/api/access?email=${encodeURIComponent(ada.email)}`);
    return data.map(({ tool }: { tool: string }) => tool.replace(`${slug}__`, ""));
  };

  it("are denied with a note that the person sees", async () => {
    const { id } = await ask({ tools: ["echo"] });
    const { data } = await api.body(200, "POST", `/api/access-requests/${id}/deny`, { note: "Not yet" });
    assert.deepEqual([data.status, data.note, data.tools], ["denied", "Not yet", ["echo"]]);
    const { body } = await ada.call("GET", "/api/me/requests");
    assert.deepEqual([body.data[0].status, body.data[0].note], ["denied", "Not yet"]);
    assert.equal((await api.call("POST", `/api/access-requests/${id}/deny`)).status, 409);
    assert.deepEqual(await granted(), []);
  });

  it("are approved into a group that grants what was requested", async () => {
    const { id } = await ask();
    const [without, having] = [await api.group(), await api.group({ slugs: [slug] })];
    const refused = await api.call("POST", `/api/access-requests/${id}/approve`, { group: without });
    assert.deepEqual([refused.status, refused.body.code], [400, "INVALID_FORMAT"]);
    const listed = await api.body(200, "GET", "/api/access-requests?status=pending");
    assert.ok(listed.data.some((one: { id: string; email: string }) => one.id === id && one.email === ada.email));
    const { data } = await api.body(200, "POST", `/api/access-requests/${id}/approve`, { group: having });
    assert.deepEqual([data.status, data.group], ["approved", having]);
    assert.deepEqual((await granted()).sort(), ["add_numbers", "echo"]);
    const again = await ada.call("POST", "/api/me/requests", { server: slug, reason: "On-call" });
    assert.equal(again.status, 400, again.text);
  });

  it("are withdrawn by the person, and only by them", async () => {
    const other = await Person.signedIn(api);
    const slugOfOther = await api.serverOf(upstream.url);
    const { id } = await ask({ server: slugOfOther });
    assert.equal((await other.call("DELETE", `/api/me/requests?id=${id}`)).status, 404);
    assert.equal((await ada.call("DELETE", `/api/me/requests?id=${id}`)).status, 200);
    assert.equal((await api.call("POST", `/api/access-requests/${id}/approve`, { group: "x" })).status, 409);
  });
});
