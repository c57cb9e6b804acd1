import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

interface List {
  readonly path: string;
  /** The name of its offset parameter. */
  readonly offset: "cursor" | "skip";
}

const SERVERS: List = { path: "/api/mcp-servers", offset: "cursor" };
const CONNECTORS: List = { path: "/api/connectors", offset: "cursor" };
const GROUPS: List = { path: "/api/groups", offset: "skip" };
const USERS: List = { path: "/api/users", offset: "skip" };

forEachTarget("limits of lists", (api) => {
  const newRow = ({ path }: List, word: string) => {
    const name = `${word} ${api.unique("row")}`;
    const email = path === USERS.path ? { email: `${api.unique("row")}@example.com` } : {};
    return api.body(201, "POST", path, { name, ...email });
  };
  const keyOf = (row: { slug?: string; id?: string; email?: string }) => row.slug ?? row.id ?? row.email;

  for (const list of [SERVERS, CONNECTORS, GROUPS, USERS]) {
    describe(list.path, () => {
      it("limit is 1 to 200, and 100 by default [S8-limit S4.1-list-limit S8-skip-limit S8-groups-maximum]", async () => {
        for (const limit of [1, 200]) {
          const { pagination } = await api.body(200, "GET", `${list.path}?limit=${limit}`);
          assert.equal(pagination.limit, limit);
        }
        assert.equal((await api.body(200, "GET", list.path)).pagination.limit, 100);
        for (const limit of ["0", "201", "-1", "1000000000"]) {
          await api.invalid("limit: must be between 1 and 200", "GET", `${list.path}?limit=${limit}`);
        }
        for (const limit of ["", "1.5", "1e2", "NaN", "ten", "0x10", "99999999999999999999", "%00"]) {
          await api.invalid("limit: must be an integer", "GET", `${list.path}?limit=${limit}`);
        }
      });

      it("the offset is an integer of at least 0, and 0 by default [S8-cursor S8-skip-limit]", async () => {
        assert.equal((await api.body(200, "GET", list.path)).pagination[list.offset], 0);
        for (const offset of ["-1", "1.5", "x", "", "1e3", "99999999999999999999"]) {
          const message = `${list.offset}: must be an integer of at least 0`;
          await api.invalid(message, "GET", `${list.path}?${list.offset}=${offset}`);
        }
        const far = await api.body(200, "GET", `${list.path}?${list.offset}=9007199254740991`);
        assert.deepEqual([far.data, far.pagination.hasMore], [[], false]);
      });
    });
  }

  for (const list of [SERVERS, GROUPS, USERS]) {
    describe(list.path, () => {
      it("paging during concurrent inserts returns every existing row once [API-5]", async () => {
        const word = api.unique("walk");
        const rows = await Promise.all(Array.from({ length: 30 }, () => newRow(list, word)));
        const before = rows.map(({ data }) => keyOf(data));
        const seen: (string | undefined)[] = [];
        const inserts: Promise<unknown>[] = [];
        for (let offset = 0, hasMore = true; hasMore; offset += 4) {
          inserts.push(newRow(list, word), newRow(list, word));
          const page = await api.body(200, "GET", `${list.path}?search=${word}&limit=4&${list.offset}=${offset}`);
          seen.push(...page.data.map(keyOf));
          ({ hasMore } = page.pagination);
          // Inserts must not extend the paging forever.
          if (offset > 400) break;
        }
        await Promise.all(inserts);
        // Nothing is guaranteed for concurrently inserted rows: one that commits late shifts newer rows.
        assert.deepEqual(seen.filter((key) => before.includes(key)).toSorted(), before.toSorted());
      });
    });
  }

  it("a page has 100 entries by default [S8-skip-limit S4.3-list-pages]", async () => {
    const word = api.unique("page");
    await Promise.all(Array.from({ length: 101 }, () => newRow(GROUPS, word)));
    const { data, pagination } = await api.body(200, "GET", `${GROUPS.path}?search=${word}`);
    assert.deepEqual([data.length, pagination.hasMore], [100, true]);
  });
});
