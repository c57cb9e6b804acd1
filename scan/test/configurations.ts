/** Generated configuration files of clients. */
import fc from "fast-check";

const name = fc.oneof(
  fc.constantFrom("evil", "good", "a.b", 'quo"te', "ünïcode", "with space"),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const space = fc.constantFrom("", " ", "\n", "\r\n", "\t", "\n    ", " /* note */ ", " // to the end\n", "\n\n");
const server = fc.constantFrom(
  '{"command":"npx"}',
  '{\n      // inside\n      "url": "https://x.example",\n    }',
  '{ "args": ["}", "{", ","] }',
);

/** The text of an object whose keys differ, with comments and spaces everywhere. */
export const configuration = fc
  .record({
    servers: fc.uniqueArray(
      fc.record({ key: name, value: server, around: fc.array(space, { minLength: 4, maxLength: 4 }) }),
      {
        minLength: 1,
        maxLength: 6,
        selector: ({ key }) => key,
      },
    ),
    trailing: fc.boolean(),
    outer: fc.array(space, { minLength: 3, maxLength: 3 }),
    bom: fc.boolean(),
  })
  .map(({ servers, trailing, outer, bom }) => {
    const inner = servers
      .map(({ key, value, around: [a, b, c, d] }) => `${a}${JSON.stringify(key)}${b}:${c}${value}${d}`)
      .join(",");
    const text = `${bom ? "\ufeff" : ""}${outer[0]}{${outer[1]}"other": 1, "mcpServers": {${inner}${trailing ? "," : ""}}${outer[2]}}\n`;
    return { text, keys: servers.map(({ key }) => key) };
  });
