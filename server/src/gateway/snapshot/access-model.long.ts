import { testAccessRules } from "#test/access-rules";

testAccessRules(5_000);
