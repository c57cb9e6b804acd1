import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseRegistryValues } from "./system-commands.ts";

describe("values of the Windows registry", () => {
  for (const end of ["\r\n", "\n"])
    it(`are read line by line, also after an empty one, with ${JSON.stringify(end)}`, () => {
      const lines = [
        "",
        "HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Gatehouse\\Scan",
        "    url    REG_SZ    https://gatehouse.example.com",
        "    email    REG_SZ",
        "    token    REG_SZ    ",
        "    all_users    REG_DWORD    0x1",
        "    state_dir    REG_SZ    C:\\Program Data\\scan  ",
        "",
      ];
      assert.deepEqual(parseRegistryValues(lines.join(end)), {
        url: "https://gatehouse.example.com",
        email: "",
        token: "",
        all_users: "0x1",
        state_dir: "C:\\Program Data\\scan",
      });
    });
});
