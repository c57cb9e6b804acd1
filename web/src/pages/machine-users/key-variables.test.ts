import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { envText } from "../../components/env-text.ts";
import { keyVariables } from "./key-variables.ts";

describe("the .env file of a machine user", () => {
  it("holds the base URL and the key with its secret in one variable, as the gatehouse command reads them", () => {
    const text = envText(keyVariables("https://gate.example.com", { client_id: "gh_ak_1", secret: "gh_sk_2" }));
    assert.equal(text, "GATEHOUSE_URL=https://gate.example.com\nGATEHOUSE_ACCESS_KEY=gh_ak_1:gh_sk_2\n");
  });
});
