import { testAccessRules } from "#test/access-rules";

// access-model.long.ts runs 5,000 sequences.
testAccessRules(40);
